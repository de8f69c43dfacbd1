// The program of an event that changes something. It starts on many calls a minute, so it is one small CommonJS file
// (an ES module costs Node a tenth of its start more), built-in modules are loaded when they are first called, and V8's
// compiled form of it lies beside it. Handlers are files of their own, loaded only by events that have one; those of a
// stop are small and CommonJS, too.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { lazyBuiltIns } from './lazy-built-ins.mjs';
import { schemasWhenUsed } from './schemas-when-used.mjs';

/** What is used of each; another name fails the build. */
const lazily = {
  'node:child_process': ['execFileSync', 'spawn', 'spawnSync'],
  'node:crypto': ['createHash', 'randomBytes'],
  'node:fs/promises': ['open'],
  'node:os': ['hostname'],
};

const handlersApart = {
  name: 'handlers-apart',
  setup({ onResolve, onLoad }) {
    const apart = {
      'event-handlers': './event-handlers.js',
      'stop-handlers': './stop-handlers.cjs',
      'small-handlers': './small-handlers.cjs',
    };
    onResolve({ filter: /\/(event|stop|small)-handlers\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: apart[basename(path, '.ts')], namespace: 'apart' } : null,
    );
    // `load` is the loader of `start.ts`. `import()` would start Node's loader of ES modules, which takes longer than the
    // handlers of a stop do; what is waited for here becomes what its `then` answers.
    onLoad({ filter: /\.cjs$/, namespace: 'apart' }, ({ path }) => ({
      contents: `module.exports = require('${path}');`,
    }));
    onLoad({ filter: /\.js$/, namespace: 'apart' }, ({ path }) => ({
      contents: `exports.then = (done, failed) => load('${path}').then(done, failed);`,
    }));
    onResolve({ filter: /^\.\/(stop|small)-handlers\.cjs$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** An event checks what it opens by hand (`domain/shape.ts`): no schema is built until it is called for, and none is. */
const withoutSchemas = {
  name: 'without-schemas',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/domain\/[a-z-]+\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replace(/^((?:export )?const \w+ = )(?=z\b)/gm, '$1() => '), loader: 'ts' };
    });
  },
};

/** Writes the programs into `outdir` and answers their names; `event-handlers.js` has to lie beside them. */
export const buildEvent = async (outdir) => {
  const main = join(outdir, 'event-main.cjs');
  const { inputs } = await one('src/events/main.ts', main, [withoutSchemas]);
  const heavy = Object.keys(inputs).filter((path) => path.includes('node_modules/'));
  if (heavy.length > 0) throw new Error(`the event program must not load ${heavy.join(', ')}`);
  await one('src/events/start.ts', join(outdir, 'event.cjs'), []);
  await one('src/events/stop-handlers.ts', join(outdir, 'stop-handlers.cjs'), [schemasWhenUsed]);
  await one('src/events/small-handlers.ts', join(outdir, 'small-handlers.cjs'), [withoutSchemas]);
  const programs = ['event-main.cjs', 'stop-handlers.cjs', 'small-handlers.cjs'];
  for (const name of programs) nameByHash(join(outdir, name));
  return ['event.cjs', ...programs, ...compile(resolve(outdir))];
};

function nameByHash(file) {
  const code = readFileSync(file, 'utf8');
  writeFileSync(file, `//${createHash('sha256').update(code).digest('hex').slice(0, 16)}\n${code}`);
}

/** One tool, one prompt and two stops, the second in a mode, of a scratch town, in one process: what they ran is in the form it leaves behind. */
function compile(outdir) {
  const isCache = (name) => /^event-.*\.cache$/.test(name);
  for (const name of readdirSync(outdir).filter(isCache)) rmSync(join(outdir, name));
  const folder = mkdtempSync(join(tmpdir(), 'gastown-build-'));
  const at = '2026-01-01T00:00:00.000Z';
  const nulls = (...keys) => Object.fromEntries(keys.map((key) => [key, null]));
  const records = {
    'agents/warm-up.json': {
      ...nulls('pane_id', 'pid', 'pid_started', 'worktree', 'branch', 'strategy', 'fallback_at', 'primed_at'),
      ...nulls('start_error', 'start_text', 'start_receipt'),
      ...{ agent_id: 'warm-up', role: 'polecat', runtime: 'claude', instance_id: 'i', session_id: 's' },
      ...{ previous_sessions: [], stop_intent: false, started_at: at, ready_at: at, first_event_at: at },
    },
    'sessions/s.json': {
      ...nulls('proposal', 'tool_use_id'),
      ...{ session_id: 's', agent_id: 'warm-up', instance_id: 'i', governed: true, status: 'parked', note: 'n' },
      ...{ updated_at: at, source: 'warm-up' },
    },
  };
  const now = new Date().toISOString();
  records['later/s/ralph.json'] = {
    ...nulls('linked_to', 'continued_at', 'next', 'held', 'ended'),
    ...{ mode: 'ralph', session_id: 's', agent_id: 'warm-up', instance_id: 'i', run_id: 'r', active: true, goal: 'g' },
    ...{ started_at: now, last_checked_at: now, iteration: 0, max_iterations: 9, still: 0, state: {} },
  };
  for (const [name, record] of Object.entries(records)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(record));
  }
  const payload = { session_id: 's', prompt: 'go on', tool_name: 'Bash', tool_use_id: 't', tool_input: {} };
  const script = `
    const vm = require('node:vm');
    const fs = require('node:fs');
    const text = Buffer.from(${JSON.stringify(JSON.stringify(payload))});
    let isRead = false;
    fs.readSync = (_fd, into) => ((isRead = !isRead) ? text.copy(into) : 0);
    fs.fstatSync = () => ({ isCharacterDevice: () => false });
    const run = vm.Script.prototype.runInThisContext;
    let again;
    vm.Script.prototype.runInThisContext = function () {
      return (...given) => (again = () => run.call(this)(...given))();
    };
    const exit = process.exit;
    const events = ['PreToolUse', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'Stop'];
    process.exit = () => {
      const next = events.shift();
      if (next === undefined) exit(0);
      if (events.length === 0) fs.renameSync(process.argv[3] + '/later', process.argv[3] + '/modes');
      process.argv[2] = next;
      again();
    };
    process.argv[2] = events.shift();
    require(process.argv[1]);`;
  const env = { GT_AGENT_ID: 'warm-up', GT_INSTANCE_ID: 'i', GT_STATE_DIR: folder };
  const done = spawnSync(process.execPath, ['-e', script, join(outdir, 'event.cjs'), '', folder], {
    env,
    encoding: 'utf8',
  });
  const session = readFileSync(join(folder, 'sessions', 's.json'), 'utf8');
  rmSync(folder, { recursive: true, force: true });
  const caches = readdirSync(outdir).filter(isCache);
  if (caches.length !== 2 || !session.includes('"idle"') || !done.stdout.includes('ralph'))
    throw new Error(`the event program was not compiled: ${done.stderr}${done.stdout}`);
  return caches;
}

const one = async (entry, outfile, plugins) => {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    plugins: [lazyBuiltIns(lazily), handlersApart, ...plugins],
    metafile: true,
    logLevel: 'error',
  });
  return Object.values(metafile.outputs)[0];
};
