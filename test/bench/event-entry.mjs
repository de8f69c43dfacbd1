// Cost of one event call beside its bare counterparts, in one interleaved run: p50 of wall time, and the ratio.
//   node test/bench/event-entry.mjs [rounds]
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const rounds = Number(process.argv[2] ?? 40);
const root = new URL('../..', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-bench-`));
const state = join(scratch, 'town', '.chipset', 'state');
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

await build({
  entryPoints: [join(root, 'src/town/events/entry-script.ts')],
  outfile: join(scratch, 'entry-script.mjs'),
  bundle: true,
  format: 'esm',
  platform: 'node',
});
const { entryScript } = await import(join(scratch, 'entry-script.mjs'));
const bundled = process.env['EVENT_PROGRAM'] ?? join(root, 'dist/event.cjs');
for (const folder of ['agents', 'heartbeat', 'sessions']) mkdirSync(join(state, folder), { recursive: true });
const entry = join(scratch, 'gt-event');
writeFileSync(entry, entryScript({ node: process.execPath, eventProgram: bundled }));
chmodSync(entry, 0o755);
// A hook written the usual way: one Node script that reads its payload and a JSON file.
const usual = join(scratch, 'usual.js');
const record = join(state, 'sessions', 's-1.json');
writeFileSync(
  usual,
  `const fs = require('fs'); const event = JSON.parse(fs.readFileSync(0, 'utf8'));
const file = ${JSON.stringify(join(scratch, 'usual.json'))}; const record = JSON.parse(fs.readFileSync(file, 'utf8'));
if (record.status !== 'active') fs.writeFileSync(file, JSON.stringify({ ...record, status: 'active', tool: event.tool_name }));`,
);
writeFileSync(join(scratch, 'usual.json'), '{"status":"active"}');

const env = { PATH: process.env['PATH'], GT_AGENT_ID: 'a', GT_INSTANCE_ID: 'i', GT_STATE_DIR: state };
const fast = join(state, 'heartbeat', 'a.fast');

const iso = '2026-01-01T00:00:00.000Z';
const session = (status) =>
  JSON.stringify({
    session_id: 's-1',
    agent_id: 'a',
    governed: true,
    status,
    note: 'waiting',
    proposal: null,
    tool_use_id: null,
    updated_at: iso,
    source: 'gt park',
    instance_id: 'i',
  });
const agent = {
  agent_id: 'a',
  role: 'polecat',
  runtime: 'claude',
  instance_id: 'i',
  pane_id: null,
  pid: null,
  pid_started: null,
  started_at: iso,
  session_id: 's-1',
  previous_sessions: [],
  worktree: null,
  branch: null,
  stop_intent: false,
  strategy: null,
  fallback_at: null,
  ready_at: iso,
  first_event_at: iso,
  start_error: null,
  start_text: null,
  start_receipt: null,
  primed_at: null,
};
writeFileSync(join(state, 'agents', 'a.json'), JSON.stringify(agent));
mkdirSync(fast);
writeFileSync(join(fast, 'i.-'), '');

const payload = (bytes) =>
  JSON.stringify({
    session_id: 's-1',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: 't',
    tool_input: { command: 'x'.repeat(Math.max(0, bytes - 105)) },
  });

const call = (command, args, text) =>
  new Promise((done, failed) => {
    const start = process.hrtime.bigint();
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => {});
    child.on('error', failed);
    child.stdout.resume();
    child.on('close', () => done(Number(process.hrtime.bigint() - start) / 1e6));
    child.stdin.end(text);
  });

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

async function compare(title, sides) {
  const times = new Map(sides.map(({ name }) => [name, []]));
  for (let round = -2; round < rounds; round += 1) {
    for (const { name, before, run } of sides) {
      before?.();
      const ms = await run();
      if (round >= 0) times.get(name).push(ms);
    }
  }
  const bare = median(times.get(sides[0].name));
  for (const { name } of sides) {
    const ms = median(times.get(name));
    console.log(`${title.padEnd(22)} ${name.padEnd(34)} ${ms.toFixed(2).padStart(8)} ms  ${(ms / bare).toFixed(2)} x`);
  }
}

for (const bytes of [100, 10_000, 100_000, 1_000_000]) {
  const text = payload(bytes);
  await compare(`active, ${bytes} B`, [
    { name: 'sh -c :', run: () => call('/bin/sh', ['-c', ':'], text) },
    { name: 'gt-event PreToolUse', run: () => call(entry, ['PreToolUse'], text) },
    { name: 'a hook written the usual way', run: () => call(process.execPath, [usual], text) },
  ]);
}
const parked = () => {
  rmSync(fast, { force: true, recursive: true });
  writeFileSync(record, session('parked'));
};
for (const bytes of [1_000, 1_000_000]) {
  const text = payload(bytes);
  await compare(`a change, ${bytes} B`, [
    { name: 'node -e 0', run: () => call(process.execPath, ['-e', '0'], text) },
    { name: 'gt-event PreToolUse (parked)', before: parked, run: () => call(entry, ['PreToolUse'], text) },
    { name: 'a hook written the usual way', run: () => call(process.execPath, [usual], text) },
  ]);
  if (JSON.parse(readFileSync(record, 'utf8')).status !== 'active') throw new Error('the change was not made');
}
const prompt = JSON.stringify({ session_id: 's-1', hook_event_name: 'UserPromptSubmit', prompt: 'go on with it' });
await compare('a prompt', [
  { name: 'node -e 0', run: () => call(process.execPath, ['-e', '0'], prompt) },
  { name: 'gt-event UserPromptSubmit', before: parked, run: () => call(entry, ['UserPromptSubmit'], prompt) },
]);
if (JSON.parse(readFileSync(record, 'utf8')).status !== 'active') throw new Error('the change was not made');

// A stop: nothing on record of modes, and a session in ralph whose stop is answered with its next story.
const stop = JSON.stringify({
  session_id: 's-1',
  hook_event_name: 'Stop',
  stop_hook_active: false,
  background_tasks: [],
});
const mode = join(state, 'modes', 's-1', 'ralph.json');
const rest = () => writeFileSync(record, session('active'));
const inMode = () => {
  rest();
  mkdirSync(join(state, 'modes', 's-1'), { recursive: true });
  writeFileSync(
    mode,
    JSON.stringify({
      mode: 'ralph',
      session_id: 's-1',
      agent_id: 'a',
      instance_id: 'i',
      run_id: 'run-1',
      linked_to: null,
      active: true,
      goal: 'all',
      started_at: new Date().toISOString(),
      last_checked_at: new Date().toISOString(),
      iteration: 0,
      max_iterations: 100,
      still: 0,
      continued_at: null,
      next: null,
      held: null,
      ended: null,
      state: {},
    }),
  );
};
const noMode = () => {
  rest();
  rmSync(join(state, 'modes'), { force: true, recursive: true });
};
await compare('a stop', [
  { name: 'node -e 0', run: () => call(process.execPath, ['-e', '0'], stop) },
  { name: 'gt-event Stop (no mode)', before: noMode, run: () => call(entry, ['Stop'], stop) },
]);
// Apart: what a mode writes is flushed to the disk, and the next that writes would wait for it.
await compare('a stop in a mode', [
  { name: 'node -e 0', run: () => call(process.execPath, ['-e', '0'], stop) },
  { name: 'gt-event Stop', before: inMode, run: () => call(entry, ['Stop'], stop) },
]);
if (JSON.parse(readFileSync(mode, 'utf8')).iteration !== 1) throw new Error('the mode did not continue');
