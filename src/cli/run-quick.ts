/** Runs `quick.cjs` from V8's compiled form where the build left one that fits this Node; else from its text. */
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** `file`: absolute path. Its first line is a comment with the id of the build. */
export function runQuick(file: string): void {
  const source = readFileSync(file, 'utf8');
  const cachedData = compiledForm(join(dirname(file), `quick-${source.slice(2, source.indexOf('\n'))}.cache`));
  // A form that another version of V8 made is rejected by V8 itself, and the text is compiled.
  const script = new Script(Module.wrap(source), { filename: file, ...(cachedData === null ? {} : { cachedData }) });
  script.runInThisContext()({}, createRequire(file), { exports: {} }, file, dirname(file));
}

function compiledForm(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
