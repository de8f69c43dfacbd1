/** Works out the handlers in force and writes them down for the events. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type InForce, inForceOf } from '../../domain/handlers/in-force.ts';
import type { Town } from '../context.ts';
import { writeState } from '../state.ts';
import { inForceSlot } from './in-force.ts';
import { trustedHandlers } from './own.ts';

/** As the configuration in force says, on disk; answers it. */
export async function putInForce(town: Pick<Town, 'store' | 'root' | 'config'>): Promise<InForce> {
  const next = inForceOf(town.config.handlers ?? {}, { hasRules: hasRules(town.root) }, trustedHandlers(town.store));
  await writeState(town.store, inForceSlot(town.store), (current) =>
    JSON.stringify(current) === JSON.stringify(next) ? null : next,
  );
  return next;
}

/** Places of rules that some runtime does not load by itself. */
const ruleFolders = ['.github/instructions', '.cursor/rules', '.claude/rules', '.chipset/rules'];

const hasRules = (root: string): boolean =>
  existsSync(join(root, '.github/copilot-instructions.md')) ||
  ruleFolders.some((folder) => {
    try {
      return readdirSync(join(root, folder)).length > 0;
    } catch {
      return false;
    }
  });
