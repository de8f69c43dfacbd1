/**
 * The mayor's part of a restart (decision 6): the request is looked at once more at the moment of acting, and declined
 * where it is not wanted any more. The restart itself keeps pane place, tree and uncommitted work, saves the scrollback
 * and resumes the session where the runtime can. A hook is never rewound.
 */
import { errorText, GastownError } from '../../domain/errors.ts';
import { parseTime } from '../../domain/time.ts';
import { readHook } from '../../store/hooks.ts';
import type { Town } from '../context.ts';
import { restartAgent, startAgent } from '../start.ts';

export type Performed =
  | { kind: 'done'; detail: string }
  /** Not wanted any more: it does not count. */
  | { kind: 'declined'; why: string }
  /** Tried: it counts. */
  | { kind: 'failed'; why: string };

export interface RestartRequest {
  agent_id: string;
  /** null: a start of an idle agent after a crash. */
  bead_id: string | null;
  requestedAt: number;
}

export async function performRestart(town: Town, request: RestartRequest): Promise<Performed> {
  const why = declineReason(town, request);
  if (why !== null) return { kind: 'declined', why };
  try {
    const started =
      request.bead_id === null
        ? await startAgent(town, request.agent_id, 'resume')
        : await restartAgent(town, request.agent_id, 'resume', 'deacon');
    return started.did === 'started'
      ? { kind: 'done', detail: started.detail }
      : { kind: 'declined', why: started.detail };
  } catch (error) {
    if (!(error instanceof GastownError)) throw error;
    return { kind: 'failed', why: errorText(error) };
  }
}

/** Gates, the hook and the operator's intent may have changed since the patrol looked. */
function declineReason(town: Town, { agent_id, bead_id, requestedAt }: RestartRequest): string | null {
  const { store } = town;
  const gates = [agent_id, 'town', ...(bead_id === null ? [] : [bead_id])];
  const open = gates.find((target) => store.gates.read(target).kind !== 'absent');
  if (open !== undefined) return `the gate of ${open} is open`;
  const record = store.agents.read(agent_id);
  if (record.kind === 'ok' && record.value.stop_intent) return `${agent_id} was stopped on purpose`;
  if (bead_id === null) return null;
  const hook = readHook(store, agent_id, town.clock());
  if (hook?.work_item?.bead_id !== bead_id) return `${bead_id} is not on its hook any more`;
  if (hook.status !== 'pending' && hook.status !== 'active') return `its hook is ${hook.status}`;
  const activityAt = parseTime(hook.last_activity) ?? 0;
  return activityAt > requestedAt && activityAt <= town.clock() ? 'it is at work again' : null;
}
