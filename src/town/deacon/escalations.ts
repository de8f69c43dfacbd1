/** What needs a human, until acknowledged: one file each, and mail to the mayor, who surfaces it (seed 001). */

import { refused } from '../../domain/errors.ts';
import { parseId } from '../../domain/ids.ts';
import type { EscalationDraft } from '../../domain/patrol/facts.ts';
import type { Escalation } from '../../domain/records.ts';
import { toIso } from '../../domain/time.ts';
import type { Town } from '../context.ts';
import { note } from '../note.ts';
import { sendMail } from './mail.ts';
import { notifyHuman } from './notify.ts';

/** True when this call opened it; the id makes it one, whoever tries again. */
export async function openEscalation(town: Town, draft: EscalationDraft): Promise<boolean> {
  const { changed } = await town.store.escalations.update(draft.escalation_id, (present) =>
    present === null ? { ...draft, opened_at: toIso(town.clock()), acknowledged_at: null } : null,
  );
  if (!changed) return false;
  const from = draft.kind === 'human_escalation' ? 'witness' : 'deacon';
  sendMail(town, { from, to: 'mayor', body: draft.message });
  void notifyHuman(town, draft);
  note(town, 'escalated', draft.message, {
    by: 'deacon',
    agent_id: draft.agent_id,
    ...(draft.bead_id === null ? {} : { bead_id: draft.bead_id }),
  });
  return true;
}

/** Open ones first, each group oldest first. */
export function listEscalations(town: Town): Escalation[] {
  const all = [...town.store.escalations.readAll().values()].flatMap((read) =>
    read.kind === 'ok' ? [read.value] : [],
  );
  const key = (one: Escalation): string => `${one.acknowledged_at === null ? 0 : 1} ${one.opened_at}`;
  return all.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The human has seen it. Answers one line; exit 3 when there is no such escalation. */
export async function acknowledge(town: Town, escalationId: string): Promise<string> {
  const id = parseId('session', escalationId);
  const { changed, value } = await town.store.escalations.update(id, (present) =>
    present === null || present.acknowledged_at !== null ? null : { ...present, acknowledged_at: toIso(town.clock()) },
  );
  if (value === null) throw refused(`there is no escalation ${id}`, 'see gastown escalations');
  if (!changed) return `${id} was acknowledged already`;
  note(town, 'escalation.acknowledged', `${id}: ${value.message}`, about(value));
  return `${id} is acknowledged`;
}

const about = ({ agent_id, bead_id }: Escalation) => ({
  ...(agent_id === null ? {} : { agent_id }),
  ...(bead_id === null ? {} : { bead_id }),
});
