/** Real processes that import the task store as it is; bundled inside the package, where its native module is found. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const folder = join(process.cwd(), 'node_modules', '.cache', `gt-test-${process.pid}-tasks`);

/** Bundles `test/tasks/programs/<name>.ts` and answers the program's path. */
export async function taskProgram(name: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [new URL(`programs/${name}.ts`, import.meta.url).pathname],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['better-sqlite3'],
    logLevel: 'error',
  });
  return outfile;
}

export const removePrograms = (): void => rmSync(folder, { recursive: true, force: true });
