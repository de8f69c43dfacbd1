import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeliveryProfile, deliveryLimitBytes } from '../../src/domain/delivery.ts';
import { GastownError } from '../../src/domain/errors.ts';
import { connectControl } from '../../src/tmux/control-client.ts';
import { deliver } from '../../src/tmux/deliver.ts';
import type { DeliveryOptions } from '../../src/tmux/delivery-options.ts';
import type { Tmux } from '../../src/tmux/driver.ts';
import { lockPane } from '../../src/tmux/pane-lock.ts';
import { spawnTmux } from '../../src/tmux/spawn-client.ts';
import { type PrivateTmux, startPrivateTmux, until } from '../support/private-tmux.ts';

const program = new URL('../support/fake-agent.mjs', import.meta.url).pathname;
const profile: DeliveryProfile = {
  screen: {
    ready: { text: [/^ {2}fake ready/m] },
    busy: { text: [/esc to interrupt/] },
    dialogs: [{ kind: 'trust', text: [/Do you trust this folder\?/], hint: 'the fake agent asks for trust' }],
    limits: [],
    composer: /^❯\s?(?<draft>.*)$/,
    placeholders: [],
  },
  submit: { key: 'Enter', delayMs: 60, retries: 2, proofMs: 1_000 },
};
const lineProfile: DeliveryProfile = {
  ...profile,
  screen: { ...profile.screen, ready: { text: [/^line>/m] }, composer: null },
};

let server: PrivateTmux;
let tmux: Tmux;
let count = 0;
beforeAll(async () => {
  server = startPrivateTmux();
  tmux = await connectControl(server.socket);
});
afterAll(async () => {
  await tmux.close();
  server.stop();
});

interface Fake {
  pane_id: string;
  pid: number;
  log(): Record<string, unknown>[];
  submitted(): unknown[];
}

/** A fake agent in a window of its own; waits until it reads, unless it is a slow one. */
async function fake(options: Record<string, unknown> = {}): Promise<Fake> {
  count += 1;
  const file = join(server.folder, `log-${count}`);
  writeFileSync(file, '');
  const [pane_id = '', pid = ''] = server
    .tmux(
      ...['new-window', '-d', '-P', '-F', '#{pane_id} #{pane_pid}', '-t', 'anchor:', '-e', `FAKE_LOG=${file}`],
      ...['-e', `FAKE_OPTIONS=${JSON.stringify(options)}`, process.execPath, program],
    )
    .trim()
    .split(' ');
  const log = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  if (!options['startMs']) {
    await until('the fake agent', () => log().some((entry) => entry['ready']));
    if (!options['dialog'] && !options['lineMode']) {
      await until('its composer', () => server.tmux('capture-pane', '-p', '-t', pane_id).includes('fake ready'));
    }
  }
  return {
    pane_id,
    pid: Number(pid),
    log,
    submitted: () => log().flatMap((entry) => ('submitted' in entry ? [entry['submitted']] : [])),
  };
}

const send = (target: Fake, text: string, options: Partial<DeliveryOptions> = {}, how = profile) =>
  deliver(tmux, { pane_id: target.pane_id, expectedPid: target.pid }, text, how, {
    lockDir: join(server.folder, 'locks'),
    ...options,
  });

describe('deliver', () => {
  it('field report 04: two lines are one prompt, submitted once, without the line breaks at the end', async () => {
    for (const text of ['line one\nline two\n', 'line one\r\nline two\r\n\r\n', 'line one\rline two']) {
      const agent = await fake();
      expect(await send(agent, text)).toEqual({ kind: 'verified', proof: 'composer' });
      expect(agent.submitted()).toEqual(['line one\nline two']);
    }
  });

  it('works the same with a spawned client', async () => {
    const agent = await fake();
    const target = { pane_id: agent.pane_id, expectedPid: agent.pid };
    const receipt = await deliver(spawnTmux(server.socket), target, 'a\nb;', profile, {
      lockDir: join(server.folder, 'locks'),
    });
    expect(receipt).toEqual({ kind: 'verified', proof: 'composer' });
    expect(agent.submitted()).toEqual(['a\nb;']);
  });

  it('field report 04: a raw program without bracketed paste gets one prompt, too', async () => {
    const agent = await fake({ bracketed: false });
    expect((await send(agent, 'line one\nline two\n')).kind).toBe('verified');
    expect(agent.submitted()).toEqual(['line one\nline two']);
  });

  it('field report 04: a program in line mode gets one line; unproven, so not called verified', async () => {
    const agent = await fake({ lineMode: true });
    expect((await send(agent, 'line one\nline two\n', {}, lineProfile)).kind).toBe('unverified');
    await until('the line', () => agent.submitted().length > 0);
    expect(agent.submitted()).toEqual(['line one line two\n']);
    expect(await send(agent, `${'x'.repeat(5_000)}`, {}, lineProfile)).toMatchObject({ kind: 'failed' });
    expect(agent.submitted()).toHaveLength(1);
  });

  it('field report 04: nothing to say is exit 1, control bytes and an early end of the paste never arrive', async () => {
    const agent = await fake();
    for (const empty of ['', '\n', '\r\n\n', '  ', '\u0003']) {
      await expect(send(agent, empty)).rejects.toMatchObject({ exit: 1 });
    }
    expect((await send(agent, 'a\u001b[201~b\u0003c\u0000\u009bd')).kind).toBe('verified');
    expect(agent.submitted()).toEqual(['a[201~bcd']);
    expect(agent.log().some((entry) => 'interrupt' in entry || 'escape' in entry)).toBe(false);
  });

  it('field report 05: texts of every size arrive whole, characters never cut, the buffer gone', async () => {
    const agent = await fake();
    for (const bytes of [1_023, 1_025, 16_300, 16_400, 20_000, 140_000, 1_000_000]) {
      const body = 'é漢👩‍👧; '.repeat(Math.ceil(bytes / 20)).slice(0, Math.floor(bytes / 2));
      const text = `${body}\n${createHash('sha256').update(body).digest('hex')}`;
      expect((await send(agent, text)).kind).toBe('verified');
      await until(
        'the submission',
        () => agent.submitted().at(-1) === text.replace(/[\ud800-\udbff](?![\udc00-\udfff])/g, '\ufffd'),
      );
    }
    expect(server.tmux('list-buffers')).toBe('');
  });

  it('field report 05: beyond the limit nothing is sent and the limit is named', async () => {
    const agent = await fake();
    const error = await send(agent, 'x'.repeat(deliveryLimitBytes + 1)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GastownError);
    expect(String(error)).toContain(String(deliveryLimitBytes));
    expect(agent.submitted()).toEqual([]);
  });

  it('any character arrives exact', async () => {
    const agent = await fake();
    const texts = [
      'ends with ;',
      '-rf',
      '#{pane_id} #(id)',
      '$(id) `id` $HOME',
      `it's "q" \\`,
      'a\tb',
      '👩‍👩‍👧 é',
      '%1',
      '{a}',
    ];
    for (const text of texts) expect((await send(agent, text)).kind).toBe('verified');
    expect(agent.submitted()).toEqual(texts);
  });

  it('field report 05: concurrent sends to two panes never swap, two to one pane never mix', async () => {
    const [one, two] = [await fake(), await fake()];
    await Promise.all([
      send(one, 'for one\nA'),
      send(two, 'for two\nB'),
      send(one, 'for one\nC'),
      send(two, 'for two\nD'),
    ]);
    expect(one.submitted().sort()).toEqual(['for one\nA', 'for one\nC']);
    expect(two.submitted().sort()).toEqual(['for two\nB', 'for two\nD']);
  });

  it.each(['copy', 'view'])('field report 08: %s mode is left, the text submitted once', async (mode) => {
    const agent = await fake();
    if (mode === 'copy') server.tmux('copy-mode', '-t', agent.pane_id);
    else server.tmux('run-shell', '-t', agent.pane_id, 'echo some output');
    expect(server.tmux('display-message', '-p', '-t', agent.pane_id, '#{pane_in_mode}').trim()).toBe('1');
    expect((await send(agent, 'hello')).kind).toBe('verified');
    expect(agent.submitted()).toEqual(['hello']);
  });

  it('field report 08: copy mode between text and Enter', async () => {
    const agent = await fake();
    const delivery = send(agent, 'hello', {}, { ...profile, submit: { ...profile.submit, delayMs: 800 } });
    await until('the text', () => server.tmux('capture-pane', '-p', '-t', agent.pane_id).includes('❯ hello'));
    server.tmux('copy-mode', '-t', agent.pane_id);
    expect((await delivery).kind).toBe('verified');
    expect(agent.submitted()).toEqual(['hello']);
  });

  it('field report 01: nothing is typed before the program reads', async () => {
    const agent = await fake({ startMs: 1_500 });
    expect(await send(agent, 'too early')).toMatchObject({ kind: 'queued' });
    await until('its composer', () => server.tmux('capture-pane', '-p', '-t', agent.pane_id).includes('fake ready'));
    expect((await send(agent, 'now')).kind).toBe('verified');
    expect(agent.submitted()).toEqual(['now']);
  });

  it('an open dialog gets no key at all', async () => {
    const agent = await fake({ dialog: true });
    await until('the dialog', () => server.tmux('capture-pane', '-p', '-t', agent.pane_id).includes('Do you trust'));
    expect(await send(agent, 'hello')).toEqual({
      kind: 'queued',
      why: 'a dialog is open: the fake agent asks for trust',
    });
    expect(agent.log()).toEqual([{ ready: true }]);
  });

  it('a half-typed text of a human is left alone, ghost text is not one', async () => {
    const agent = await fake();
    server.tmux('send-keys', '-t', agent.pane_id, '-l', 'half typed by human');
    await until('the draft', () => server.tmux('capture-pane', '-p', '-t', agent.pane_id).includes('half typed'));
    expect(await send(agent, 'NUDGE')).toMatchObject({ kind: 'queued', why: expect.stringContaining('half typed') });
    expect(agent.submitted()).toEqual([]);
    const ghostly = await fake({ ghost: 'Try "fix the tests"' });
    expect((await send(ghostly, 'hello')).kind).toBe('verified');
    expect(ghostly.submitted()).toEqual(['hello']);
  });

  it('a swallowed Enter is pressed again; the text is never typed twice', async () => {
    const agent = await fake({ swallowEnters: 2 });
    expect((await send(agent, 'hello')).kind).toBe('verified');
    expect(agent.submitted()).toEqual(['hello']);
  });

  it('an Enter that never works is unverified; the next delivery of that text submits what stands there', async () => {
    const agent = await fake({ swallowEnters: 3 });
    expect(await send(agent, 'hello')).toMatchObject({ kind: 'unverified', why: expect.stringContaining('composer') });
    expect(agent.submitted()).toEqual([]);
    expect((await send(agent, 'hello')).kind).toBe('verified');
    expect(agent.submitted()).toEqual(['hello']);
  });

  it('an event is the better proof, and counts where the screen says nothing', async () => {
    const agent = await fake();
    expect(await send(agent, 'hello', { proof: async () => agent.submitted().length > 0 })).toEqual({
      kind: 'verified',
      proof: 'event',
    });
    const other = await fake({ lineMode: true });
    expect(await send(other, 'hello', { proof: async () => other.submitted().length > 0 }, lineProfile)).toEqual({
      kind: 'verified',
      proof: 'event',
    });
  });

  it('a pane that is gone, dead or of another process fails, and says which', async () => {
    const agent = await fake();
    expect(await send({ ...agent, pane_id: '%9999' }, 'hello')).toMatchObject({
      kind: 'failed',
      why: 'there is no pane %9999',
    });
    expect(await send({ ...agent, pid: agent.pid + 1 }, 'hello')).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('another process'),
    });
    server.tmux('set-option', '-w', '-t', agent.pane_id, 'remain-on-exit', 'on');
    process.kill(agent.pid, 'SIGKILL');
    await until('its end', () =>
      server.tmux('list-panes', '-a', '-F', '#{pane_id} #{pane_dead}').includes(`${agent.pane_id} 1`),
    );
    expect(await send(agent, 'hello')).toMatchObject({ kind: 'failed', why: expect.stringContaining('ended') });
    expect(agent.submitted()).toEqual([]);
  });
});

describe('lockPane', () => {
  it('one holder at a time; a dead holder is taken over; old tickets are swept', async () => {
    const folder = join(server.folder, 'lock-test');
    mkdirSync(folder);
    writeFileSync(join(folder, 'pane-7.4'), `${process.pid} long-ago`);
    const order: string[] = [];
    const work = async (name: string) => {
      const lock = await lockPane(folder, '%7', 10_000);
      order.push(`+${name}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(`-${name}`);
      lock?.release();
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(work));
    for (let index = 0; index < order.length; index += 2)
      expect(order[index + 1]).toBe(order[index]?.replace('+', '-'));
    const held = await lockPane(folder, '%7', 0);
    expect(held).not.toBeNull();
    expect(await lockPane(folder, '%7', 50)).toBeNull();
    expect(existsSync(join(folder, 'pane-7.4'))).toBe(false);
    held?.release();
  });
});
