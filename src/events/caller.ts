/** Who calls: the pane's program knows itself by three variables (DESIGN section 6), and nothing is looked for on disk. */
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isId } from '../domain/ids.ts';

export interface Caller {
  agentId: string;
  /** Null where the pane was started without one. */
  instanceId: string | null;
  /** Absolute, and there. */
  stateDir: string;
}

/** Null outside a town: then nothing is answered and nothing is made (field report 36). */
export function callerOf(env: Readonly<Record<string, string | undefined>>): Caller | null {
  const agentId = env['GT_AGENT_ID'];
  const stateDir = env['GT_STATE_DIR'];
  if (env['GASTOWN_DISABLE'] === '1' || !isId('agent', agentId) || !stateDir || !isAbsolute(stateDir)) return null;
  return existsSync(stateDir) ? { agentId, instanceId: env['GT_INSTANCE_ID'] || null, stateDir } : null;
}
