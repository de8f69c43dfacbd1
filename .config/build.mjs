// Bundles the programs. What runs on every event imports nothing it does not need; Ink is a chunk of its own, loaded
// only by the commands that draw. React is bundled in production mode.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
process.chdir(root);
rmSync('dist', { recursive: true, force: true });

await build({
  entryPoints: {
    gastown: 'src/cli/main.ts',
    event: 'src/events/main.ts',
    sim: 'src/runtimes/sim/main.ts',
    index: 'src/index.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  external: ['better-sqlite3', 'fsevents'],
  alias: { 'react-devtools-core': './.config/nothing.mjs' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  chunkNames: 'chunks/[name]-[hash]',
});
chmodSync('dist/gastown.js', 0o755);

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
