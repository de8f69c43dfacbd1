// The program of an event that changes something. It starts on many calls a minute, so it is one small CommonJS file
// (an ES module costs Node a tenth of its start more), and built-in modules are loaded when they are first called.
// Handlers are files of their own, loaded only by events that have one; those of a stop are small and CommonJS, too.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lazyBuiltIns } from './lazy-built-ins.mjs';

/** What is used of each; another name fails the build. */
const lazily = {
  'node:child_process': ['execFileSync'],
  'node:crypto': ['createHash', 'randomBytes'],
  'node:tty': ['isatty'],
};

const handlersApart = {
  name: 'handlers-apart',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/event-handlers\.ts$/ }, () => ({ path: './event-handlers.js', external: true }));
    // `import()` would start Node's loader of ES modules, which takes longer than these handlers do.
    onResolve({ filter: /\/stop-handlers\.ts$/ }, ({ kind, path }) =>
      kind === 'entry-point' ? null : { path, namespace: 'required' },
    );
    onLoad({ filter: /.*/, namespace: 'required' }, () => ({
      contents: `module.exports = require('./stop-handlers.cjs');`,
    }));
    onResolve({ filter: /^\.\/stop-handlers\.cjs$/ }, ({ path }) => ({ path, external: true }));
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

/** Writes `event.cjs` and `stop-handlers.cjs` into `outdir`; `event-handlers.js` has to lie beside them. */
export const buildEvent = async (outdir) => {
  const { inputs } = await one('src/events/main.ts', join(outdir, 'event.cjs'), [withoutSchemas]);
  const heavy = Object.keys(inputs).filter((path) => path.includes('node_modules/'));
  if (heavy.length > 0) throw new Error(`the event program must not load ${heavy.join(', ')}`);
  await one('src/events/stop-handlers.ts', join(outdir, 'stop-handlers.cjs'), []);
};

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
