// Bundles a few lines that import from `src`, the way the programs are built: what is measured is what is shipped.
import { join } from 'node:path';
import { build } from 'esbuild';

const root = new URL('../..', import.meta.url).pathname;
let count = 0;

/** Writes the bundle of `code` (paths relative to the repository) into `folder` and answers its path. */
export async function writeBundle(folder, code) {
  count += 1;
  const outfile = join(folder, `bundle-${count}.mjs`);
  await build({
    stdin: { contents: code, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    banner: { js: "import { createRequire as c } from 'node:module'; const require = c(import.meta.url);" },
    logLevel: 'error',
  });
  return outfile;
}

/** The same, imported. */
export const bundle = async (folder, code) => import(await writeBundle(folder, code));
