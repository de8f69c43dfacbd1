// An esbuild plugin: the table of every character's width takes a tenth of a second to load, and most tables that a command
// prints are ASCII. It is loaded at its first use there; the control pane measures all it draws and loads it at once.
export const widthsWhenUsed = {
  name: 'widths-when-used',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^string-width$/ }, ({ importer, resolveDir }) =>
      importer.endsWith('src/cli/columns.ts')
        ? { path: 'string-width', namespace: 'when-used', pluginData: resolveDir }
        : null,
    );
    onLoad({ filter: /.*/, namespace: 'when-used' }, ({ path, pluginData }) => ({
      contents: `let width; export default (text) => (width ??= require('${path}').default)(text);`,
      resolveDir: pluginData,
    }));
  },
};
