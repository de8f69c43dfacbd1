/**
 * `event.cjs`: runs the program beside it from V8's compiled form of it, which saves a seventh of Node's whole start. The
 * form is named by the code and by V8; where there is none for them, this call compiles and leaves one for the next.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';

const file = join(__dirname, 'event-main.cjs');
const source = readFileSync(file, 'utf8');
// Its first line is the hash of the rest: V8 itself only compares lengths.
const cache = join(__dirname, `event-${source.slice(2, source.indexOf('\n'))}-${process.versions.v8}.cache`);

function compiledForm(): Buffer | undefined {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

const cachedData = compiledForm();
const script = new Script(`(function (require, load) {${source}\n})`, {
  filename: file,
  ...(cachedData === undefined ? {} : { cachedData }),
});
// At the end, when what an event runs has been compiled, too.
if (cachedData === undefined || script.cachedDataRejected === true) process.once('exit', keep);

// Each call of Node's own `require` looks its answer up anew, and every part of the program asks for these.
const known = new Map<string, unknown>();
function requireOnce(name: string): unknown {
  if (!known.has(name)) known.set(name, require(name));
  return known.get(name);
}
script.runInThisContext()(requireOnce, (name: string) => import(name));

function keep(): void {
  try {
    const temp = `${cache}.${process.pid}~`;
    writeFileSync(temp, script.createCachedData());
    renameSync(temp, cache);
  } catch {
    // A folder of somebody else's: every call compiles.
  }
}
