// Bundles the programs. What runs on every event imports nothing it does not need; Ink is a chunk of its own, loaded
// only by the commands that draw. React is bundled in production mode.
// Made beside `dist` and renamed into place file by file, so that a town that runs from it goes on undisturbed.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildEvent } from './build-event.mjs';
import { buildQuick } from './build-quick.mjs';
import { schemasWhenUsed } from './schemas-when-used.mjs';
import { widthsWhenUsed } from './widths-when-used.mjs';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
const stage = `dist/.stage-${process.pid}`;

const { metafile } = await build({
  entryPoints: {
    run: 'src/cli/run.ts',
    'event-handlers': 'src/events/event-handlers.ts',
    sim: 'src/runtimes/sim/main.ts',
    index: 'src/index.ts',
  },
  outdir: stage,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  legalComments: 'none',
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    __VERSION__: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version),
  },
  external: ['better-sqlite3', 'fsevents'],
  // jsonc-parser's main file asks for its parts in a way that no bundler can follow.
  alias: { 'react-devtools-core': './.config/nothing.mjs', 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  chunkNames: 'chunks/[name]-[hash]',
  metafile: true,
  plugins: [schemasWhenUsed, widthsWhenUsed],
}).catch(() => {
  rmSync(stage, { recursive: true, force: true });
  process.exit(1);
});

const eventFiles = await buildEvent(stage);
const quickFiles = await buildQuick(stage);

// Chunks first: a program never names a chunk that is not there yet.
const files = [
  ...eventFiles,
  ...quickFiles,
  ...Object.keys(metafile.outputs).map((path) => path.slice(stage.length + 1)),
];
mkdirSync('dist/chunks', { recursive: true });
chmodSync(join(stage, 'gastown.cjs'), 0o755);
for (const file of files.sort((a, b) => Number(b.startsWith('chunks/')) - Number(a.startsWith('chunks/')))) {
  utimesSync(join(stage, file), new Date(), new Date());
  renameSync(join(stage, file), join('dist', file));
}
rmSync(stage, { recursive: true, force: true });

// `handoff install` writes these into repositories.
mkdirSync('dist/handoff', { recursive: true });
for (const name of readdirSync('src/town/handoff').filter((name) => name.endsWith('.sh'))) {
  copyFileSync(join('src/town/handoff', name), join('dist/handoff', name));
}

// Chunks of earlier builds stay a day for the programs that still run from them.
const dayAgo = Date.now() - 86_400_000;
for (const chunk of readdirSync('dist/chunks')) {
  const path = join('dist/chunks', chunk);
  if (!files.includes(`chunks/${chunk}`) && statSync(path).mtimeMs < dayAgo) rmSync(path);
}
for (const cache of readdirSync('dist').filter((name) => name.endsWith('.cache') && !files.includes(name))) {
  rmSync(join('dist', cache));
}

if (process.argv.includes('--meta')) process.stdout.write(JSON.stringify(metafile));

if (process.argv.includes('--types')) {
  execFileSync(
    'node_modules/.bin/tsc',
    [
      '-p',
      '.',
      '--noEmit',
      'false',
      '--declaration',
      '--emitDeclarationOnly',
      '--outDir',
      'dist/types',
      '--rootDir',
      'src',
    ],
    { stdio: 'inherit' },
  );
}
