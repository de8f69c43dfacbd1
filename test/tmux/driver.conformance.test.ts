import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectControl } from '../../src/tmux/control-client.ts';
import type { Tmux } from '../../src/tmux/driver.ts';
import { listPanes } from '../../src/tmux/panes.ts';
import { spawnTmux } from '../../src/tmux/spawn-client.ts';
import { type PrivateTmux, startPrivateTmux, until } from '../support/private-tmux.ts';

/** One suite for both clients: whoever holds a `Tmux` need not know which. */
const clients: [string, (socket: string, timeoutMs?: number) => Promise<Tmux>][] = [
  ['spawned', async (socket, timeoutMs = 10_000) => spawnTmux(socket, { timeoutMs })],
  ['control mode', (socket, timeoutMs = 10_000) => connectControl(socket, { timeoutMs })],
];

const hostile = [
  '; at the end;',
  '-leading',
  '#{pid} #(id) $(id) $HOME ~ `id`',
  `it's "quoted" \\ and \\; done;`,
  'tab\tand\nline\r\nbreaks\n',
  'emoji 👩‍👩‍👧 é 漢字 {a} %if',
  '%1',
  '',
  ';',
  '\\',
  '\\;',
];

describe.each(clients)('driver: %s', (_name, open) => {
  let server: PrivateTmux;
  let tmux: Tmux;
  afterEach(async () => {
    await tmux.close();
    server.stop();
  });
  const start = async (): Promise<void> => {
    server = startPrivateTmux();
    tmux = await open(server.socket);
  };

  it('answers with the lines a command printed, none and empty ones included', async () => {
    await start();
    expect(await tmux.run(['list-sessions', '-F', '#{session_name}'])).toEqual({ kind: 'ok', lines: ['anchor'] });
    expect(await tmux.run(['set-option', '-g', '@empty', ''])).toEqual({ kind: 'ok', lines: [] });
    expect(await tmux.run(['display-message', '-p', ''])).toEqual({ kind: 'ok', lines: [''] });
  });

  it('tells an error of the command from everything else, and goes on', async () => {
    await start();
    expect(await tmux.run(['kill-pane', '-t', '%99'])).toEqual({ kind: 'error', message: "can't find pane: %99" });
    expect((await tmux.run(['no-such-command'])).kind).toBe('error');
    expect((await tmux.run(['has-session', '-t', '=anchor'])).kind).toBe('ok');
  });

  it('passes every word exactly, whatever it holds (field report 05, notes on quoting)', async () => {
    await start();
    for (const word of hostile) {
      expect((await tmux.run(['set-buffer', '-b', 'exact', '--', `x${word}`])).kind).toBe('ok');
      const file = join(server.folder, 'buffer');
      server.tmux('save-buffer', '-b', 'exact', file);
      expect(readFileSync(file, 'utf8')).toBe(`x${word}`);
      if (word === '') continue;
      expect((await tmux.run(['set-buffer', '-b', 'exact', '--', word])).kind).toBe('ok');
      server.tmux('save-buffer', '-b', 'exact', file);
      expect(readFileSync(file, 'utf8')).toBe(word);
    }
  });

  it('gives input to a command, a megabyte too', async () => {
    await start();
    const text = 'é;'.repeat(350_000);
    expect((await tmux.run(['load-buffer', '-b', 'big', '-'], { input: text })).kind).toBe('ok');
    const file = join(server.folder, 'buffer');
    server.tmux('save-buffer', '-b', 'big', file);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('runs many commands in order, errors in the middle do not keep the rest from running', async () => {
    await start();
    const commands = Array.from({ length: 120 }, (_, index) =>
      index % 50 === 7 ? ['kill-pane', '-t', '%99'] : ['display-message', '-p', `n${index} ${'x'.repeat(200)};`],
    );
    const replies = await tmux.runAll(commands);
    expect(replies).toHaveLength(120);
    replies.forEach((reply, index) => {
      if (index % 50 === 7) expect(reply).toEqual({ kind: 'error', message: "can't find pane: %99" });
      else expect(reply).toEqual({ kind: 'ok', lines: [`n${index} ${'x'.repeat(200)};`] });
    });
    expect(await tmux.runAll([])).toEqual([]);
  });

  it('shows a pane as it is, text that looks like control mode too', async () => {
    await start();
    const file = join(server.folder, 'text');
    writeFileSync(file, '%begin 1 2 1\n%end 1 2 1\n%error 3 4 1\n%exit\nplain é\n\nlast\n');
    const id = server.tmux('split-window', '-P', '-F', '#{pane_id}', `cat ${file}; exec cat`).trim();
    await until('the text', () => server.tmux('capture-pane', '-p', '-t', id).includes('last'));
    const reply = await tmux.run(['capture-pane', '-p', '-t', id]);
    expect(reply.kind === 'ok' && reply.lines.slice(0, 7)).toEqual([
      '%begin 1 2 1',
      '%end 1 2 1',
      '%error 3 4 1',
      '%exit',
      'plain é',
      '',
      'last',
    ]);
  });

  it('decision 17: says gone once the server was killed, and never starts one', async () => {
    await start();
    const pid = Number(server.tmux('display-message', '-p', '#{pid}'));
    process.kill(pid, 'SIGKILL');
    await until('gone', async () => (await tmux.run(['list-sessions'])).kind === 'gone');
    expect((await tmux.run(['new-session', '-d', '-s', 'x', 'sleep', '1'])).kind).toBe('gone');
    expect((await tmux.runAll([['list-panes'], ['list-panes']])).map((reply) => reply.kind)).toEqual(['gone', 'gone']);
    expect((await listPanes(tmux)).kind).toBe('gone');
  });

  it('decision 17: a server that does not answer is unknown, never gone', async () => {
    server = startPrivateTmux();
    tmux = await open(server.socket, 400);
    const pid = Number(server.tmux('display-message', '-p', '#{pid}'));
    process.kill(pid, 'SIGSTOP');
    try {
      expect((await tmux.run(['list-sessions'])).kind).toBe('unknown');
      expect((await tmux.run(['list-sessions'])).kind).toBe('unknown');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await until('an answer', async () => (await tmux.run(['list-sessions'])).kind === 'ok');
  });

  it('a folder without a server is gone; a missing program is unknown', async () => {
    await start();
    const elsewhere = await open(join(server.folder, 'none'));
    expect((await elsewhere.run(['list-sessions'])).kind).toBe('gone');
    await elsewhere.close();
    const fake = join(server.folder, 'not-tmux');
    writeFileSync(fake, '#!/bin/sh\necho "error connecting to it (Permission denied)" >&2\nexit 1\n');
    chmodSync(fake, 0o755);
    expect((await spawnTmux(server.socket, { bin: fake }).run(['list-sessions'])).kind).toBe('unknown');
    expect((await spawnTmux(server.socket, { bin: '/no/such/tmux' }).run(['list-sessions'])).kind).toBe('unknown');
  });

  it('field report 14: TMUX of another server changes nothing there', async () => {
    await start();
    const other = startPrivateTmux();
    try {
      other.tmux('new-session', '-d', '-s', 'gt-alpha', 'sh', '-c', 'exec cat');
      const before = other.tmux('list-panes', '-a');
      process.env['TMUX'] = `${other.socket},1,0`;
      process.env['TMUX_PANE'] = '%0';
      const mine = await open(server.socket);
      expect((await mine.run(['new-session', '-d', '-s', 'town', 'sh', '-c', 'exec cat'])).kind).toBe('ok');
      expect((await mine.run(['kill-session', '-t', '=town'])).kind).toBe('ok');
      await mine.close();
      expect(other.tmux('list-panes', '-a')).toBe(before);
    } finally {
      delete process.env['TMUX'];
      delete process.env['TMUX_PANE'];
      other.stop();
    }
  });

  it('leaves no process behind when closed', async () => {
    await start();
    await tmux.run(['list-sessions']);
    await tmux.close();
    expect(server.tmux('list-clients')).toBe('');
    expect((await tmux.run(['list-sessions'])).kind).toBe(_name === 'spawned' ? 'ok' : 'unknown');
  });
});
