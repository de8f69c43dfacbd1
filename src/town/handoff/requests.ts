/** An agent's wish to dissolve a handoff that waits for its human: a row in the control pane, nothing more. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '../../domain/ids.ts';
import { toRecordText } from '../../domain/json.ts';
import type { DissolveRequest } from '../../domain/view.ts';
import { writeAtomic } from '../../store/atomic-write.ts';
import { statePaths } from '../../store/paths.ts';
import { namesIn } from './claim.ts';
import type { SessionBinding } from './session-binding.ts';

/** The latest wish of an agent replaces its earlier one. */
export function requestDissolve(
  session: SessionBinding,
  { tree, why }: Pick<DissolveRequest, 'tree' | 'why'>,
  now: number,
): void {
  const row: DissolveRequest = { agent_id: session.agentId, tree, at: new Date(now).toISOString(), why };
  writeAtomic(statePaths(session.stateDir).handoffRequest(session.agentId), toRecordText(row));
}

/** Open wishes, by agent name. A record that cannot be read is left out: it grants nothing either way. */
export function dissolveRequests(stateDir: string): DissolveRequest[] {
  const folder = statePaths(stateDir).handoffRequestsDir;
  return namesIn(folder).flatMap((name) => {
    const agentId = name.replace(/\.json$/, '');
    if (agentId === name || !isId('agent', agentId)) return [];
    try {
      const { tree, at, why } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Partial<DissolveRequest>;
      if (typeof tree !== 'string' || typeof at !== 'string') return [];
      return [{ agent_id: agentId, tree, at, why: why === 'attempts' ? why : 'unacknowledged' }];
    } catch {
      return [];
    }
  });
}

/** Takes a wish off the list: refused by the human, or fulfilled. */
export function removeDissolveRequest(stateDir: string, agentId: string): void {
  if (isId('agent', agentId)) rmSync(statePaths(stateDir).handoffRequest(agentId), { force: true });
}
