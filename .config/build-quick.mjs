// The commands that are called over and over, as one small CommonJS file: thirty modules cost Node more than all they do.
import { join } from 'node:path';
import { build } from 'esbuild';

/** Writes `quick.cjs` into `outdir`. */
export const buildQuick = (outdir) =>
  build({
    entryPoints: ['src/cli/quick.ts'],
    outfile: join(outdir, 'quick.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    define: { 'import.meta.url': '__url' },
    banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'error',
  });
