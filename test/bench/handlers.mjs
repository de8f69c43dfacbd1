// A tool event with all thirty-one handlers on, where one of them must look, beside `node -e 0`; and where none must, beside
// `sh -c :`. Bars: 1.5 ×, and the 1.3 × of the entry (issue 6).   node test/bench/handlers.mjs [rounds]
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { median, report } from './town.mjs';

const rounds = Number(process.argv[2] ?? 30);
const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-bench-`));
const root = join(folder, 'repo');
const state = join(root, '.chipset', 'state');
const { openStore, putInForce, handlerNames, neverStarted, newSession, changeSession, entryScript } = await bundle(
  folder,
  `export { openStore } from './src/store/store.ts';
   export { putInForce } from './src/town/handlers/put-in-force.ts';
   export { handlerNames } from './src/domain/handlers/names.ts';
   export { neverStarted } from './src/town/launch.ts';
   export { newSession } from './src/domain/freshness.ts';
   export { changeSession } from './src/town/events/sessions.ts';
   export { entryScript } from './src/town/events/entry-script.ts';`,
);
try {
  const store = openStore(state);
  const now = Date.now();
  const at = new Date(now).toISOString();
  await store.agents.update('a', () => ({
    ...neverStarted({ agent_id: 'a', role: 'polecat', runtime: 'claude', permissions: 'default', args: [], env: {} }),
    ...{ instance_id: 'i', session_id: 's-1', started_at: at, ready_at: at, first_event_at: at },
  }));
  await changeSession(
    store,
    's-1',
    () => ({ ...newSession('s-1', 'a', true, now), instance_id: 'i', status: 'active' }),
    null,
  );
  mkdirSync(join(root, '.github/instructions'), { recursive: true });
  writeFileSync(join(root, '.github/instructions/a.instructions.md'), '---\napplyTo: "src/**"\n---\nUse tabs.\n');
  writeFileSync(join(root, 'a.ts'), 'x');
  const handlers = Object.fromEntries(handlerNames.map((name) => [name, true]));
  await putInForce({ store, root, config: { agents: [], handlers } });
  const entry = join(folder, 'gt-event');
  const eventProgram = new URL('../../dist/event.cjs', import.meta.url).pathname;
  writeFileSync(entry, entryScript({ node: process.execPath, eventProgram }), { mode: 0o755 });
  const env = {
    PATH: process.env.PATH,
    GT_AGENT_ID: 'a',
    GT_INSTANCE_ID: 'i',
    GT_STATE_DIR: state,
    GT_RUNTIME: 'claude',
  };
  const payload = (name, tool, input) =>
    JSON.stringify({
      session_id: 's-1',
      cwd: root,
      hook_event_name: name,
      tool_name: tool,
      tool_use_id: 't',
      tool_input: input,
    });
  const run = (command, words, text) =>
    new Promise((done) => {
      const start = performance.now();
      const child = spawn(command, words, { env, cwd: root, stdio: ['pipe', 'ignore', 'ignore'] });
      child.stdin.on('error', () => {});
      child.on('close', () => done(performance.now() - start));
      child.stdin.end(text);
    });
  const edit = payload('PreToolUse', 'Edit', { file_path: join(root, 'a.ts'), old_string: 'x', new_string: 'y' });
  const read = payload('PostToolUse', 'Read', { file_path: join(root, 'a.ts') });
  const web = payload('PreToolUse', 'WebFetch', { url: 'http://localhost' });
  const times = { node: [], edit: [], read: [], sh: [], web: [] };
  for (let round = -2; round < rounds; round += 1) {
    const one = {
      node: await run(process.execPath, ['-e', '0'], edit),
      edit: await run(entry, ['PreToolUse', 'Edit'], edit),
      read: await run(entry, ['PostToolUse', 'Read'], read),
      sh: await run('/bin/sh', ['-c', ':'], web),
      web: await run(entry, ['PreToolUse', 'Web'], web),
    };
    if (round >= 0) for (const name of Object.keys(times)) times[name].push(one[name]);
  }
  const [node, sh] = [median(times.node), median(times.sh)];
  report('handlers-edit', { node_ms: node, event_ms: median(times.edit) }, 'event_ms', 'node_ms', '<= 1.5');
  report('handlers-read', { node_ms: node, event_ms: median(times.read) }, 'event_ms', 'node_ms', '<= 1.5');
  report('handlers-none-looks', { sh_ms: sh, event_ms: median(times.web) }, 'event_ms', 'sh_ms', '<= 1.3');
  const trouble = readdirSync(join(state, 'heartbeat')).filter((name) => name.endsWith('.trouble'));
  if (trouble.length > 0) throw new Error(execFileSync('cat', [join(state, 'heartbeat', trouble[0])]).toString());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
