// `layouts/gastown.schema.json` for editors, made from the zod schema of `gastown.yaml`. A test keeps it current.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
const bundle = `${root}.cache/schema-${process.pid}.mjs`;
mkdirSync(`${root}.cache`, { recursive: true });
await build({
  stdin: {
    contents: `import { configJsonSchema } from './src/domain/config-schema.ts'; export const text = configJsonSchema();`,
    resolveDir: root,
    loader: 'ts',
  },
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
});
const { text } = await import(bundle);
rmSync(bundle);
writeFileSync(`${root}layouts/gastown.schema.json`, text);
