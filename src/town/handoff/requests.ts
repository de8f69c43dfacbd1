/** An agent's wish to dissolve a handoff that waits for its human: a row in the control pane, nothing more. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '../../domain/ids.ts';
import { toRecordText } from '../../domain/json.ts';
import { writeAtomic } from '../../store/atomic-write.ts';
import { statePaths } from '../../store/paths.ts';
import { namesIn } from './claim.ts';
import type { SessionBinding } from './session-binding.ts';

export interface DissolveRequestRow {
  agent_id: string;
  /** ISO time of the latest wish. */
  at: string;
  instance_id: string;
}

/** The latest wish of an agent replaces its earlier one. */
export function requestDissolve(session: SessionBinding, now: number): void {
  const row: DissolveRequestRow = {
    agent_id: session.agentId,
    at: new Date(now).toISOString(),
    instance_id: session.instanceId,
  };
  writeAtomic(statePaths(session.stateDir).handoffRequest(session.agentId), toRecordText(row));
}

/** Open wishes, by agent name. A record that cannot be read is left out: it grants nothing either way. */
export function dissolveRequests(stateDir: string): DissolveRequestRow[] {
  const folder = statePaths(stateDir).handoffRequestsDir;
  return namesIn(folder).flatMap((name) => {
    const agentId = name.replace(/\.json$/, '');
    if (agentId === name || !isId('agent', agentId)) return [];
    try {
      const row = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Partial<DissolveRequestRow>;
      return [{ agent_id: agentId, at: String(row.at), instance_id: String(row.instance_id ?? '') }];
    } catch {
      return [];
    }
  });
}

/** Takes a wish off the list: refused by the human, or fulfilled. */
export function removeDissolveRequest(stateDir: string, agentId: string): void {
  if (isId('agent', agentId)) rmSync(statePaths(stateDir).handoffRequest(agentId), { force: true });
}
