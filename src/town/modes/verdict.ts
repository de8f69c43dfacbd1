/** A reviewer's word on one request. It counts only while that very request is open, and never from the reviewed agent. */
import { refused } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { requireReadable } from '../../store/record.ts';
import type { Town } from '../context.ts';
import { acknowledge } from '../deacon/escalations.ts';
import { advanceMode, runOfRequest } from './advance.ts';
import { lookAtMode } from './look.ts';
import { isCancelled } from './records.ts';

/** Throws exit 3 for a request that is not open (any more), and for a verdict on one's own work. Answers one line. */
export async function giveVerdict(
  town: Town,
  requestId: string,
  verdict: { approved: boolean; feedback: string },
): Promise<string> {
  const { store } = town;
  const record = runOfRequest(store, requestId);
  const closed = refused(`no review ${JSON.stringify(requestId.slice(0, 40))} is open`, 'see gastown mode status');
  if (record === null || isCancelled(store, record)) throw closed;
  const by = town.env['GT_AGENT_ID'] ?? 'operator';
  if (by === record.agent_id) throw refused(`${by} cannot review its own work`, 'nothing was changed; end your turn');
  const agent = requireReadable(store.agents.place(record.agent_id), store.agents.read(record.agent_id));
  if (agent === null) throw closed;
  const advanced = await advanceMode(store, {
    run: record,
    event: { kind: 'verdict', requestId, ...verdict },
    facts: lookAtMode(store, agent, town.config.modes ?? {}),
    way: 'type',
    by,
    now: town.clock(),
    onlyIf: ({ next }) => next?.kind === 'review' && next.request_id === requestId,
  });
  if (advanced === null) throw closed;
  if (isId('session', requestId) && store.escalations.read(requestId).kind === 'ok') await acknowledge(town, requestId);
  return lineOf(requestId, verdict.approved, advanced.record);
}

const lineOf = (id: string, approved: boolean, { mode, agent_id, ended }: ModeRecord): string =>
  `${id} is ${approved ? 'approved' : 'rejected'}: ${mode} of ${agent_id} ${ended === null ? 'goes on' : `ends (${ended.why})`}`;
