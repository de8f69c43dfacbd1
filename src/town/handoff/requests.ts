/** An agent's wish to dissolve a handoff that waits for its human: a row in the control pane, nothing more. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '../../domain/ids.ts';
import { toRecordText } from '../../domain/json.ts';
import { namesIn } from './claim.ts';
import type { SessionBinding } from './session-binding.ts';

export interface DissolveRequestRow {
  agent_id: string;
  /** ISO time of the latest wish. */
  at: string;
  instance_id: string;
}

const folderOf = (stateDir: string): string => join(stateDir, 'handoff', 'requests');

/** The latest wish of an agent replaces its earlier one. */
export function requestDissolve(session: SessionBinding, now: number): void {
  const folder = folderOf(session.stateDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const row: DissolveRequestRow = {
    agent_id: session.agentId,
    at: new Date(now).toISOString(),
    instance_id: session.instanceId,
  };
  const temp = join(folder, `.${session.agentId}.${process.pid}.tmp`);
  writeFileSync(temp, toRecordText(row), { mode: 0o600 });
  renameSync(temp, join(folder, `${session.agentId}.json`));
}

/** Open wishes, by agent name. A record that cannot be read is left out: it grants nothing either way. */
export function dissolveRequests(stateDir: string): DissolveRequestRow[] {
  if (!existsSync(folderOf(stateDir))) return [];
  return namesIn(folderOf(stateDir)).flatMap((name) => {
    if (!name.endsWith('.json') || !isId('agent', name.slice(0, -5))) return [];
    try {
      const row = JSON.parse(readFileSync(join(folderOf(stateDir), name), 'utf8')) as Partial<DissolveRequestRow>;
      return [{ agent_id: name.slice(0, -5), at: String(row.at), instance_id: String(row.instance_id ?? '') }];
    } catch {
      return [];
    }
  });
}

/** Takes a wish off the list: refused by the human, or fulfilled. */
export function removeDissolveRequest(stateDir: string, agentId: string): void {
  if (isId('agent', agentId)) rmSync(join(folderOf(stateDir), `${agentId}.json`), { force: true });
}
