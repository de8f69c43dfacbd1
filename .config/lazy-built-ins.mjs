// Built-in modules that a small program seldom calls are loaded at their first call: `node:crypto` alone takes Node
// longer to load than most calls take to answer.

/** `lazily`: what is used of each module, functions only; another name fails the build. An esbuild plugin. */
export const lazyBuiltIns = (lazily) => ({
  name: 'lazy-built-ins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => (Object.hasOwn(lazily, path) ? { path, namespace: 'lazy' } : null));
    onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({
      contents: lazily[path]
        .map((name) => `export const ${name} = (...args) => process.getBuiltinModule('${path}').${name}(...args);`)
        .join('\n'),
    }));
  },
});
