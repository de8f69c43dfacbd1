// 1 MB of text delivered to a pane, to the last byte, against `tmux load-buffer` and `paste-buffer` of the same text.
// Bar: at most 1.5 × (DESIGN section 9).   node test/bench/delivery.mjs [rounds]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { median, report } from './town.mjs';

const rounds = Number(process.argv[2] ?? 5);
const bytes = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-bench-`));
const socket = join(folder, 's');
const env = { ...process.env, HOME: folder, TMUX: undefined };
const tmux = (...words) =>
  execFileSync('tmux', ['-S', socket, '-u', '-f', '/dev/null', ...words], { env, encoding: 'utf8' });
const log = join(folder, 'got');
// A program in raw mode with bracketed paste that writes down every byte it gets.
const reader = join(folder, 'reader.mjs');
writeFileSync(
  reader,
  `import { appendFileSync } from 'node:fs';
process.stdin.setRawMode(true);
process.stdout.write('\\x1b[?2004h❯ \\r\\n');
process.stdin.on('data', (chunk) => appendFileSync(${JSON.stringify(log)}, chunk));`,
);
const { deliver, spawnTmux } = await bundle(
  folder,
  "export { deliver } from './src/tmux/deliver.ts'; export { spawnTmux } from './src/tmux/spawn-client.ts';",
);
const line = `${'a measured line of text, as long as a line of a brief may be; '.repeat(2)}\n`;
const text = `${line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes - 4)}last`;
const file = join(folder, 'text');
writeFileSync(file, text);
const marks = { ready: { text: [/❯/] }, busy: { text: [] }, dialogs: [], limits: [], composer: null, placeholders: [] };
const profile = { screen: marks, submit: { key: 'Enter', delayMs: 0, retries: 0, proofMs: 1 } };

/** Until the last word of the text has arrived. */
async function arrived() {
  const size = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  while (
    size() < text.length ||
    !readFileSync(log, 'latin1')
      .slice(text.length - 20)
      .includes('last')
  ) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

try {
  tmux('new-session', '-d', '-s', 'p', '-x', '120', '-y', '40', process.execPath, reader);
  while (!tmux('capture-pane', '-p', '-t', 'p').includes('❯')) await new Promise((resolve) => setTimeout(resolve, 50));
  const [pane, pid] = tmux('list-panes', '-t', 'p', '-F', '#{pane_id} #{pane_pid}').trim().split(' ');
  const client = spawnTmux(socket);
  const times = { bare: [], deliver: [] };
  for (let round = -1; round < rounds; round += 1) {
    for (const name of ['bare', 'deliver']) {
      rmSync(log, { force: true });
      const start = performance.now();
      if (name === 'bare') {
        tmux('load-buffer', '-b', 'bare', file);
        tmux('paste-buffer', '-p', '-r', '-d', '-b', 'bare', '-t', pane);
        await arrived();
      } else {
        const done = deliver(client, { pane_id: pane, expectedPid: Number(pid) }, text, profile, {
          lockDir: folder,
          scale: 0.01,
          proof: async () => false,
        });
        await arrived();
        times.last = performance.now();
        await done;
      }
      const end = name === 'bare' ? performance.now() : times.last;
      if (round >= 0) times[name].push(end - start);
    }
  }
  const sides = { tmux_ms: median(times.bare), deliver_ms: median(times.deliver) };
  report('delivery', sides, 'deliver_ms', 'tmux_ms', '<= 1.5');
} finally {
  tmux('kill-server');
  rmSync(folder, { recursive: true, force: true });
}
