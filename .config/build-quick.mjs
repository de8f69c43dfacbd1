// The commands that are called over and over, as one small CommonJS file: thirty modules cost Node more than all they do.
// V8's compiled form lies beside it, named by the hash in the file's first line, so that the two never mismatch.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

/** Writes `quick.cjs` and its `.cache` into `outdir`; answers their names. */
export async function buildQuick(outdir) {
  const { outputFiles } = await build({
    entryPoints: ['src/cli/quick.ts'],
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    define: { 'import.meta.url': '__url' },
    banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'error',
  });
  const code = outputFiles[0].text;
  const id = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const file = resolve(outdir, 'quick.cjs');
  writeFileSync(file, `//${id}\n${code}`);
  const cache = `quick-${id}.cache`;
  compile(file, resolve(outdir, cache));
  return ['quick.cjs', cache];
}

/** In a process of its own, after one `status` of a town that is down: what ran is in the compiled form. */
function compile(file, cache) {
  const folder = mkdtempSync(join(tmpdir(), 'gastown-build-'));
  writeFileSync(join(folder, 'gastown.yaml'), 'agents: [{runtime: sim, count: 2}]\n');
  const script = `
    const { readFileSync, writeFileSync } = require('node:fs');
    const { createRequire, wrap } = require('node:module');
    const [file, cache] = process.argv.slice(1);
    const script = new (require('node:vm').Script)(wrap(readFileSync(file, 'utf8')), { filename: file });
    process.argv = [process.argv[0], file, 'status', '--json'];
    process.once('exit', () => writeFileSync(cache, script.createCachedData()));
    script.runInThisContext()({}, createRequire(file), { exports: {} }, file, ${JSON.stringify(resolve('dist'))});`;
  const made = spawnSync(process.execPath, ['-e', script, file, cache], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(folder, { recursive: true, force: true });
  if (made.status !== 0) throw new Error('quick.cjs did not run');
}
