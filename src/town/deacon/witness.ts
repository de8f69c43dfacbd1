/** The witness: what the patrol found, classified and mailed; stalls go deacon → witness → mayor (decision 6). */
import type { Severity } from '../../domain/ladder.ts';
import type { Effect } from '../../domain/patrol/facts.ts';
import { toIso } from '../../domain/time.ts';
import type { Town } from '../context.ts';
import { sendMail } from './mail.ts';

const prefix: Record<Severity, string> = {
  warning: 'STALL_WARNING',
  alert: 'STALL_ALERT',
  critical: 'STALL_CRITICAL',
};

export function mailWitness(town: Town, found: Extract<Effect, { kind: 'witness' }>): void {
  const { agent_id, bead_id, severity, nudges, silentMs, activityAt } = found;
  const seconds = Math.floor(silentMs / 1000);
  const last = activityAt === null ? 'never seen at work' : `last activity ${toIso(activityAt)}`;
  const facts = `${agent_id} does not go on with ${bead_id}: ${nudges} nudges sent, silent for ${seconds} s, ${last}`;
  sendMail(town, { from: 'deacon', to: 'witness', body: `STALL_ALERT: ${facts}` });
  const advice = severity === 'critical' ? ' A restart is near.' : '';
  sendMail(town, { from: 'witness', to: 'mayor', body: `${prefix[severity]}: ${facts}.${advice}` });
}
