// An esbuild plugin: schemas are made when they are first looked into.
import { readFile } from 'node:fs/promises';

/**
 * Making the schemas of all records takes as long as reading the few that one call opens: each is made when it is first
 * looked into. The text of a schema stays what it is; only its constant becomes something that stands for it.
 */
export const schemasWhenUsed = {
  name: 'schemas-when-used',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/domain\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes("from 'zod/mini'")) return null;
      const contents = text.replace(
        /^((?:export )?const) (\w+)(?:: [^=]+)? = (?=z\.)/gm,
        '$1 $2 = __whenUsed(() => $2Made()), $2Made = () => ',
      );
      return { contents: `${contents}\n${whenUsed}`, loader: 'ts' };
    });
  },
};

const whenUsed = `function __whenUsed(make: () => any): any {
  let made: any;
  return new Proxy({}, { get: (_, key) => (made ??= make())[key], has: (_, key) => key in (made ??= make()) });
}`;
