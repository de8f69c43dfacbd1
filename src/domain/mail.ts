/** Every kind of message of the sources, as typed constants: nobody types a prefix freely (seed 001). */
import type { Mail } from './records.ts';
import { cleanText } from './text.ts';

export const mailTypes = [
  'work_assignment',
  'completion_report',
  'merge_notification',
  'health_escalation',
  'coordination',
] as const;
export type MailType = (typeof mailTypes)[number];

interface Kind {
  type: MailType;
  priority: Mail['priority'];
  /** Who writes it to whom. */
  route: string;
}

const kind = (type: MailType, route: string, priority: Mail['priority'] = 'normal'): Kind => ({
  type,
  priority,
  route,
});

/** By payload prefix. */
export const mailKinds = {
  ASSIGNED: kind('work_assignment', 'mayor → polecat'),
  DISPATCH: kind('work_assignment', 'mayor → witness'),
  STARTED: kind('coordination', 'polecat → mayor', 'low'),
  ACTIVE: kind('coordination', 'polecat → deacon', 'low'),
  STATUS_OK: kind('coordination', 'any → any', 'low'),
  DONE: kind('completion_report', 'polecat → mayor'),
  FAILED: kind('completion_report', 'polecat → mayor', 'urgent'),
  RETIRED: kind('coordination', 'mayor → witness', 'low'),
  HEALTH_CHECK: kind('health_escalation', 'deacon → polecat'),
  STALL_WARNING: kind('health_escalation', 'witness → mayor', 'low'),
  STALL_ALERT: kind('health_escalation', 'deacon → witness → mayor'),
  STALL_CRITICAL: kind('health_escalation', 'witness → mayor', 'urgent'),
  RESTART_REQUEST: kind('health_escalation', 'deacon → mayor'),
  HUMAN_ESCALATION: kind('health_escalation', 'deacon → mayor', 'urgent'),
  CRASH_LOOP: kind('health_escalation', 'deacon → mayor', 'urgent'),
  USAGE_LIMIT: kind('health_escalation', 'deacon → mayor'),
  MERGED: kind('merge_notification', 'refinery → mayor'),
  CONFLICT: kind('merge_notification', 'refinery → mayor', 'urgent'),
  TEST_FAILURE: kind('merge_notification', 'refinery → mayor', 'urgent'),
  QUEUE_BLOCKED: kind('merge_notification', 'refinery → witness', 'urgent'),
  QUEUE_DEPTH: kind('merge_notification', 'refinery → mayor', 'low'),
  ACK_CONFLICT: kind('coordination', 'mayor → refinery'),
} as const satisfies Record<string, Kind>;
export type MailKind = keyof typeof mailKinds;

/** The kind a payload announces by its first word and a colon; null for free text. */
export function mailKindOf(payload: string): MailKind | null {
  const word = /^([A-Z][A-Z_]*):/.exec(payload)?.[1];
  return word !== undefined && Object.hasOwn(mailKinds, word) ? (word as MailKind) : null;
}

/** Bytes of a body; more is refused and never cut. */
export const mailBodyLimitBytes = 65_536;
const subjectLimit = 200;

/** The one line by which a message is listed. */
export const subjectOf = (text: string): string => {
  const line = cleanText(text).split('\n', 1)[0]?.trim() ?? '';
  return line.length > subjectLimit ? `${line.slice(0, subjectLimit - 1)}…` : line;
};

export const archiveAfterMs = 24 * 3_600_000;

/** Read or not, a message is put away after a day; an urgent one never before somebody has read it. */
export function isForArchive(mail: Pick<Mail, 'priority' | 'read'>, sentAt: number | null, now: number): boolean {
  if (sentAt === null || now - sentAt <= archiveAfterMs) return false;
  return mail.read || mail.priority !== 'urgent';
}
