// The program of an event that changes something. It starts on many calls a minute, so it is one small CommonJS file
// (an ES module costs Node a tenth of its start more), and built-in modules are loaded when they are first called.
// Handlers are a file of their own, loaded only by events that have one.
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
  setup({ onResolve }) {
    onResolve({ filter: /\/event-handlers\.ts$/ }, () => ({ path: './event-handlers.js', external: true }));
  },
};

/** Records an event never opens: their schemas would be a tenth of its start, so none is built until it is called for. */
const unopened = {
  name: 'unopened-records',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/domain\/records\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const opened = ['agentSchema', 'gateSchema', 'sessionSchema'];
      const contents = text.replace(/^export const (\w+Schema) = (?=z\.)/gm, (whole, name) =>
        opened.includes(name) ? whole : `${whole}() => `,
      );
      return { contents, loader: 'ts' };
    });
  },
};

/** Writes `event.cjs` into `outdir`; `event-handlers.js` has to lie beside it. */
export const buildEvent = (outdir) =>
  build({
    entryPoints: ['src/events/main.ts'],
    outfile: join(outdir, 'event.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    plugins: [lazyBuiltIns, handlersApart, unopened],
    logLevel: 'error',
  });
