/** Bundles the demo as the programs are bundled: production React, no devtools. Answers the file. */
import { join } from 'node:path';
import { build } from 'esbuild';

const root = new URL('../../..', import.meta.url).pathname;

export async function buildDemo(outdir: string, entry = 'test/tui/support/demo.tsx'): Promise<string> {
  await build({
    absWorkingDir: root,
    entryPoints: { demo: entry },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    minifySyntax: true,
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    alias: { 'react-devtools-core': './.config/nothing.mjs' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return join(outdir, 'demo.mjs');
}
