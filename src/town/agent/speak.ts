/** What an agent says on its own account: an answer to a nudge, a note for the journal. */
import { randomBytes } from 'node:crypto';
import { usage } from '../../domain/errors.ts';
import type { Nudge } from '../../domain/records.ts';
import { cleanLine } from '../../domain/text.ts';
import { toIso } from '../../domain/time.ts';
import type { Town } from '../context.ts';
import { note } from '../note.ts';
import { callerOf } from './caller.ts';

/** Characters of a reply or note; more belongs into a mail or a file. */
const wordsLimit = 2_000;

/** Answers the latest nudge. The deacon reads it at `nudge/deacon/from/<agent>.json` (seed 001). */
export async function reply(town: Town, text: string): Promise<Nudge> {
  const { agent } = await callerOf(town);
  const id = agent.agent_id;
  const message = words(text, 'gt reply "what you are doing"');
  const asked = town.store.nudge(id).read();
  const nudge = asked.kind === 'ok' ? asked.value : null;
  const hook = town.store.hooks.read(id);
  const answer: Nudge = {
    nudge_id: `n-${randomBytes(5).toString('hex')}`,
    from: id,
    type: 'nudge_response',
    message,
    timestamp: toIso(town.clock()),
    requires_response: false,
    bead_id: nudge?.bead_id ?? (hook.kind === 'ok' ? (hook.value.work_item?.bead_id ?? null) : null),
    ...(nudge === null ? {} : { in_reply_to: nudge.nudge_id }),
  };
  await town.store.nudgeReply(id).update(() => answer);
  note(town, 'nudge.answered', `${id}: ${message}`, { by: id, agent_id: id });
  return answer;
}

/** A line in the journal, by the agent. */
export async function addNote(town: Town, text: string): Promise<{ agent_id: string; note: string }> {
  const { agent } = await callerOf(town);
  const message = words(text, 'gt note "what is worth knowing"');
  note(town, 'agent.note', message, { by: agent.agent_id, agent_id: agent.agent_id });
  return { agent_id: agent.agent_id, note: message };
}

function words(text: string, example: string): string {
  const line = cleanLine(text);
  if (line === '') throw usage('there is nothing to say', example);
  if (line.length > wordsLimit) throw usage(`more than ${wordsLimit} characters`, 'say it shorter, or use gt mail');
  return line;
}
