/** Whether a session has any modes on record, without reading them: asked on many events that have nothing to do with modes. */
import { existsSync, readdirSync } from 'node:fs';
import type { StatePaths } from '../../store/paths.ts';

/** A session that once had modes keeps an empty folder. */
export function hasModes(paths: Pick<StatePaths, 'sessionModes'>, sessionId: string): boolean {
  const folder = paths.sessionModes(sessionId);
  return existsSync(folder) && readdirSync(folder).length > 0;
}
