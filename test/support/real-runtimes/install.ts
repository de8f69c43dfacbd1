/** The real agent CLIs, at the versions the marks were measured with, in an ignored folder; installed once. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const pinned = {
  claude: { name: '@anthropic-ai/claude-code', version: '2.1.332', program: 'claude' },
  codex: { name: '@openai/codex', version: '0.171.0', program: 'codex' },
  gemini: { name: '@google/gemini-cli', version: '0.61.0', program: 'gemini' },
  opencode: { name: 'opencode-ai', version: '1.18.33', program: 'opencode' },
} as const;

export type RealRuntime = keyof typeof pinned;

/** Where the CLIs and what they fetch for themselves are kept; ignored by git. */
export const realCache: string =
  process.env['GASTOWN_REAL_CACHE'] ?? fileURLToPath(new URL('../../../.cache/real-runtimes', import.meta.url));

/** Absolute path of the real CLI. The first call installs it with npm (about 20 s); others wait for it. */
export async function installReal(runtime: RealRuntime): Promise<string> {
  const { name, version, program } = pinned[runtime];
  const folder = join(realCache, `${runtime}-${version}`);
  const path = join(folder, 'node_modules', '.bin', program);
  const lock = `${folder}.lock`;
  while (!existsSync(path)) {
    await mkdir(realCache, { recursive: true });
    try {
      await mkdir(lock);
    } catch {
      const age = await stat(lock).then(
        (found) => Date.now() - found.mtimeMs,
        () => 0,
      );
      if (age > 300_000) await rm(lock, { recursive: true, force: true });
      await sleep(500);
      continue;
    }
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'package.json'), '{"private":true}\n');
      // Pinned: npm would silently take an older version where `engines` asks for a newer Node.
      await promisify(execFile)('npm', ['install', `${name}@${version}`, '--no-audit', '--no-fund'], { cwd: folder });
    } finally {
      await rm(lock, { recursive: true, force: true });
    }
  }
  return path;
}
