/** The sign that a canary's event leaves, and by which it is seen to have arrived (`canary.ts`). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseId } from '../../domain/ids.ts';
import type { StatePaths } from '../../store/paths.ts';

/** What the instance of a canary begins with; no agent's run is called so. */
export const canaryPrefix = 'canary-';

export const canaryPath = (paths: StatePaths, agentId: string): string =>
  join(paths.heartbeatDir, `${parseId('agent', agentId)}.canary`);

/** Throws where it cannot be written; then nothing arrives, which is the answer. */
export function landCanary(paths: StatePaths, agentId: string, instanceId: string): void {
  mkdirSync(paths.heartbeatDir, { recursive: true, mode: 0o700 });
  writeFileSync(canaryPath(paths, agentId), instanceId, { mode: 0o600 });
}
