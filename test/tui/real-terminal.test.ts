/** The bundled control pane in a real tmux pane, driven by send-keys; its bytes are recorded as the terminal got them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type PrivateTmux, privateTmux, until } from '../support/private-tmux.ts';
import { buildDemo } from './support/build-demo.ts';

const limitMs = 60_000;
let server: PrivateTmux;
let demo: string;
let count = 0;

beforeAll(async () => {
  server = privateTmux();
  demo = await buildDemo(join(server.folder, 'demo'));
  server.tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'anchor', '-x', '80', '-y', '24', 'exec cat');
  server.tmux('set-option', '-g', 'status', 'off');
}, limitMs);
afterAll(() => server?.stop());

interface Shown {
  id: string;
  log: string;
  screen(): string;
  send(...keys: string[]): void;
  resize(columns: number, rows: number): void;
  bytes(): string;
  flags(): string;
  pid(): number;
  calls(): unknown[][];
}

/** A window of its own size with the demo in it; when the demo ends, its exit code is printed and the pane stays. */
async function show(env: Record<string, string> = {}, size: [number, number] = [80, 24]): Promise<Shown> {
  count += 1;
  const log = join(server.folder, `calls-${count}`);
  const bytes = join(server.folder, `bytes-${count}`);
  const pidFile = join(server.folder, `pid-${count}`);
  const words = Object.entries({ ...env, DEMO_LOG: log }).map(([name, value]) => `${name}=${value}`);
  const start = `read go; sh -c 'echo $$ > ${pidFile}; exec env ${words.join(' ')} ${process.execPath} ${demo}'; echo ended with $?; exec cat`;
  const id = server
    .tmux('new-session', '-d', '-P', '-F', '#{pane_id}', '-x', String(size[0]), '-y', String(size[1]), start)
    .trim();
  server.tmux('pipe-pane', '-t', id, `exec cat >> ${bytes}`);
  server.tmux('send-keys', '-t', id, 'Enter');
  const shown: Shown = {
    id,
    log,
    screen: () => server.tmux('capture-pane', '-p', '-t', id),
    send: (...keys) => void server.tmux('send-keys', '-t', id, ...keys),
    resize: (columns, rows) => void server.tmux('resize-window', '-t', id, '-x', String(columns), '-y', String(rows)),
    bytes: () => (existsSync(bytes) ? readFileSync(bytes, 'utf8') : ''),
    flags: () => server.tmux('display-message', '-p', '-t', id, '#{alternate_on} #{cursor_flag} #{wrap_flag}').trim(),
    pid: () => Number(readFileSync(pidFile, 'utf8')),
    calls: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line): unknown[] => JSON.parse(line) as unknown[])
        : [],
  };
  await until('the first frame', () => shown.screen().includes('polecat-bravo'), limitMs);
  return shown;
}

const restored = '0 1 1';
const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('in a real terminal', { timeout: limitMs }, () => {
  let pane: Shown;
  afterEach(() => {
    if (pane !== undefined) server.tmux('kill-pane', '-t', pane.id);
  });

  it('field report 53: is interactive with CI set, and does by keys what the keys say', async () => {
    pane = await show({ CI: 'true' });
    expect(pane.flags()).toBe('1 0 0');
    pane.send('n', 'use port 80; please', 'Enter');
    await until('the nudge', () => pane.calls().length > 0);
    expect(pane.calls()).toEqual([['nudge', 'polecat-bravo', 'use port 80; please']]);
    await until('the receipt', () => pane.screen().includes('nudge polecat-bravo: verified (event)'));
    pane.send('/');
    await until('the filter', () => pane.screen().includes('\n/'));
    pane.send('codex', 'Enter');
    await until('the filtered table', () => pane.screen().includes('filter codex: 1 of 6'));
    pane.send('Escape');
    await until('all rows', () => !pane.screen().includes('filter codex'));
    pane.send('q');
    await until('detach', () => pane.calls().some(([name]) => name === 'detach'));
    pane.send('Q', 'y');
    await until('the end', () => pane.screen().includes('ended with 0'));
    expect(pane.flags()).toBe(restored);
  });

  it('takes a paste of many lines as text for the prompt, and as nothing elsewhere', async () => {
    pane = await show();
    server.tmux('set-buffer', 'Q\ny\nsecond line');
    server.tmux('paste-buffer', '-p', '-t', pane.id);
    pane.send('n');
    await until('the prompt', () => pane.screen().includes('Nudge polecat-bravo:'));
    server.tmux('paste-buffer', '-p', '-t', pane.id);
    await until('the text', () => pane.screen().includes('Q y second line'));
    pane.send('Enter');
    await until('the nudge', () => pane.calls().length > 0);
    expect(pane.calls()).toEqual([['nudge', 'polecat-bravo', 'Q y second line']]);
  });

  it('field report 51: fits after a storm of resizes, without a clear of the scrollback or a full repaint of the same', async () => {
    pane = await show({ DEMO_AGENTS: '30' });
    const sizes: [number, number][] = [
      [80, 10],
      [80, 40],
      [120, 40],
      [60, 40],
      [120, 12],
      [20, 5],
      [5, 20],
      [100, 30],
    ];
    for (const [columns, rows] of sizes) {
      pane.resize(columns, rows);
      process.kill(pane.pid(), 'SIGUSR1');
    }
    await until('the last size', () => {
      const lines = pane.screen().split('\n');
      return (
        lines.some((line) => line.startsWith(' myrepo · demo')) &&
        lines.slice(0, 30).at(-2)?.includes('? help') === true
      );
    });
    expect(pane.screen()).toMatch(/\+\d+ more/);
    expect(pane.bytes()).not.toContain('\u001b[3J');
    expect(pane.bytes()).not.toContain('\u001b[2J\u001b[2J');
    const frames = pane.bytes().split('\u001b[?2026h').slice(1);
    for (const [index, frame] of frames.entries()) expect(frame).not.toBe(frames[index - 1]);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGUSR2', 1],
  ] as const)('field report 51: gives the terminal back on %s', async (signal, code) => {
    pane = await show();
    process.kill(pane.pid(), signal);
    await until('the end', () => pane.screen().includes(`ended with ${code}`));
    expect(pane.flags()).toBe(restored);
    if (signal === 'SIGUSR2') expect(pane.screen()).toContain('a bug in the demo');
  });

  it('ends when its terminal goes away, and spins on nothing', async () => {
    const gone = await show();
    const pid = gone.pid();
    server.tmux('kill-pane', '-t', gone.id);
    await until('the end of the process', () => !alive(pid));
    pane = await show();
  });

  it('writes nothing for keys that change nothing, and one line for a changed row', async () => {
    pane = await show({}, [100, 30]);
    pane.send('k');
    const before = pane.bytes().length;
    pane.send('Home', 'k', 'w', 'Home');
    process.kill(pane.pid(), 'SIGUSR1');
    await until('the touch', () => pane.screen().includes('touch 1'));
    const written = pane.bytes().slice(before);
    expect(written).not.toContain('polecat-bravo ');
  });

  it('runs without colour, in ASCII and in lines', async () => {
    pane = await show({ NO_COLOR: '1', GASTOWN_ASCII: '1' });
    expect(pane.bytes()).not.toMatch(/\u001b\[[0-9;]*[1-9][0-9;]*m/);
    expect(pane.bytes().slice(1)).toMatch(/^[\u0000-\u007f]*$/);
    server.tmux('kill-pane', '-t', pane.id);
    pane = await show({ TERM: 'dumb' });
    expect(pane.bytes()).not.toContain('\u001b');
    expect(pane.screen()).toContain('polecat-bravo: asking');
  });
});
