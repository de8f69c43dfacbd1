// The program of an event that changes something. It starts on many calls a minute, so it is one small CommonJS file
// (an ES module costs Node a tenth of its start more), and built-in modules are loaded when they are first called.
// Handlers are files of their own, loaded only by events that have one; those of a stop are small and CommonJS, too.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** What is used of each; another name fails the build. */
const lazily = {
  'node:child_process': ['execFileSync'],
  'node:crypto': ['createHash', 'randomBytes'],
  'node:tty': ['isatty'],
};

const lazyBuiltIns = {
  name: 'lazy-built-ins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => (Object.hasOwn(lazily, path) ? { path, namespace: 'lazy' } : null));
    onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({
      contents: lazily[path]
        .map((name) => `export const ${name} = (...args) => process.getBuiltinModule('${path}').${name}(...args);`)
        .join('\n'),
    }));
  },
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

/** Records an event never opens: their schemas would be a tenth of its start, so none is built until it is called for. */
const unopened = (...opened) => ({
  name: 'unopened-records',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/domain\/records\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace(/^export const (\w+Schema) = (?=z\.)/gm, (whole, name) =>
        opened.includes(name) ? whole : `${whole}() => `,
      );
      return { contents, loader: 'ts' };
    });
  },
});

const opened = ['agentSchema', 'gateSchema', 'sessionSchema'];

/** Writes `event.cjs` and `stop-handlers.cjs` into `outdir`; `event-handlers.js` has to lie beside them. */
export const buildEvent = async (outdir) => {
  await one('src/events/main.ts', join(outdir, 'event.cjs'), opened);
  await one('src/events/stop-handlers.ts', join(outdir, 'stop-handlers.cjs'), [...opened, 'leaseSchema']);
};

const one = (entry, outfile, records) =>
  build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    plugins: [lazyBuiltIns, handlersApart, unopened(...records)],
    logLevel: 'error',
  });
