// The commands that are called over and over, as one small CommonJS file: thirty modules cost Node more than all they do.
// V8's compiled form lies beside it, named by the hash in the file's first line, so that the two never mismatch.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { lazyBuiltIns } from './lazy-built-ins.mjs';
import { schemasWhenUsed } from './schemas-when-used.mjs';

/** The entry's own: all other commands are ES modules of the main build. */
const othersApart = {
  name: 'others-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/run\.ts$/ }, () => ({ path: './run.js', external: true }));
  },
};

/** The parser of YAML is larger than all the rest, and a running town has its configuration on record. */
const parserApart = {
  name: 'parser-apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/config-parse\.ts$/ }, ({ kind, path }) =>
      kind === 'entry-point' ? null : { path, namespace: 'required' },
    );
    onLoad({ filter: /.*/, namespace: 'required' }, () => ({
      contents: `module.exports = require('./config-parse.cjs');`,
    }));
    onResolve({ filter: /^\.\/config-parse\.cjs$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** What is used of each; another name fails the build. */
const lazily = {
  'node:child_process': ['execFile', 'execFileSync', 'spawn', 'spawnSync'],
  'node:crypto': ['createHash', 'randomBytes'],
  'node:fs/promises': ['open', 'readdir', 'stat'],
  'node:net': ['createConnection'],
  'node:tty': ['isatty'],
};

/** Writes the entry `gastown.cjs`, and `quick.cjs` with its `.cache`, into `outdir`; answers their names. */
export async function buildQuick(outdir) {
  const common = {
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    plugins: [othersApart, parserApart, schemasWhenUsed, lazyBuiltIns(lazily)],
    define: { 'import.meta.url': '__url' },
    logLevel: 'error',
  };
  const entry = await build({ ...common, entryPoints: ['src/cli/main.ts'] });
  writeFileSync(resolve(outdir, 'gastown.cjs'), entry.outputFiles[0].text);
  const parser = await build({ ...common, entryPoints: ['src/domain/config-parse.ts'] });
  writeFileSync(resolve(outdir, 'config-parse.cjs'), parser.outputFiles[0].text);
  const { outputFiles } = await build({
    ...common,
    entryPoints: ['src/cli/quick.ts'],
    banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
  });
  const code = outputFiles[0].text;
  const id = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const file = resolve(outdir, 'quick.cjs');
  writeFileSync(file, `//${id}\n${code}`);
  const cache = `quick-${id}.cache`;
  compile(file, resolve(outdir, cache));
  return ['gastown.cjs', 'config-parse.cjs', 'quick.cjs', cache];
}

/** In a process of its own, after one `status` of a town whose server died: what ran is in the compiled form. */
function compile(file, cache) {
  const folder = mkdtempSync(join(tmpdir(), 'gastown-build-'));
  const state = join(folder, '.chipset', 'state');
  mkdirSync(state, { recursive: true });
  writeFileSync(
    join(state, 'town.json'),
    JSON.stringify({
      root: folder,
      name: 'warm-up',
      running: true,
      socket: join(folder, 'socket'),
      server_pid: 4_194_305,
      server_started: 'never',
      demo: false,
      control_pane: null,
      config: { agents: [{ runtime: 'sim', count: 2 }] },
      updated_at: '2026-01-01T00:00:00.000Z',
    }),
  );
  const script = `
    const { readFileSync, writeFileSync } = require('node:fs');
    const { createRequire, wrap } = require('node:module');
    const [file, cache] = process.argv.slice(1);
    const script = new (require('node:vm').Script)(wrap(readFileSync(file, 'utf8')), { filename: file });
    process.argv = [process.argv[0], file, 'status', '--json'];
    process.once('exit', () => writeFileSync(cache, script.createCachedData()));
    script.runInThisContext()({}, createRequire(file), { exports: {} }, file, ${JSON.stringify(resolve('dist'))});`;
  const made = spawnSync(process.execPath, ['-e', script, file, cache], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(folder, { recursive: true, force: true });
  if (made.status !== 0) throw new Error('quick.cjs did not run');
}
