/** A text in the human's own editor. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GastownError, refused, usage } from '../domain/errors.ts';
import type { Call } from './command.ts';

/**
 * Opens `$VISUAL`, `$EDITOR` or vi and hands what was saved to `use`. What `use` refuses is not lost: the file stays, and the
 * refusal names it. Exit 1 without a terminal, exit 3 where the editor fails.
 */
export async function editText<T>(
  { io }: Pick<Call, 'io'>,
  { name, text }: { name: string; text: string },
  use: (text: string) => Promise<T>,
): Promise<T> {
  if (!io.isTerminal) throw usage('an editor needs a terminal', 'hand in a file instead');
  const folder = mkdtempSync(join(tmpdir(), 'gastown-edit-'));
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  const editor = io.env['VISUAL'] || io.env['EDITOR'] || 'vi';
  const ran = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env: io.env });
  const saved = readFileSync(file, 'utf8');
  if (ran.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw refused(`${editor} ended with ${ran.status ?? ran.signal}`, 'nothing was changed');
  }
  try {
    const used = await use(saved);
    rmSync(folder, { recursive: true, force: true });
    return used;
  } catch (error) {
    if (error instanceof GastownError)
      throw new GastownError(error.exit, error.message, `what you wrote is in ${file}`);
    throw error;
  }
}
