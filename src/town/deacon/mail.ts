/** Mail as a service: send, read, put away. Files in `mail/<recipient>/`; text that came from elsewhere is data. */
import { refused, usage } from '../../domain/errors.ts';
import { isId, parseId } from '../../domain/ids.ts';
import { isForArchive, mailBodyLimitBytes, mailKindOf, mailKinds, subjectOf } from '../../domain/mail.ts';
import type { Mail } from '../../domain/records.ts';
import { cleanText } from '../../domain/text.ts';
import { parseTime, toIso } from '../../domain/time.ts';
import type { Town } from '../context.ts';

/** Mailboxes that need no agent behind them: the patrol's own parts, and the human. */
const offices = ['operator', 'mayor', 'witness', 'deacon', 'refinery'];
/** What the human is shown: mail to the mayor is surfaced to the operator (seed 001). */
const operatorsBoxes = ['operator', 'mayor', 'witness'];

export interface Letter {
  from: string;
  to: string;
  body: string;
  subject?: string | undefined;
  /** For text without a known prefix. */
  priority?: Mail['priority'] | undefined;
}

/**
 * Writes a message; its type and urgency follow from its prefix (`STALL_ALERT: …`). Exit 1, with nothing written, for an
 * unknown recipient, an empty body and one beyond 64 KiB.
 */
export function sendMail(town: Town, letter: Letter): Mail {
  const to = letter.to.trim();
  if (!isId('agent', to) || !(offices.includes(to) || town.agents.some((agent) => agent.agent_id === to))) {
    const names = [...town.agents.map((agent) => agent.agent_id), ...offices].join(', ');
    throw usage(`nobody here is called ${JSON.stringify(to.slice(0, 60))}`, `write to one of: ${names}`);
  }
  if (Buffer.byteLength(letter.body) > mailBodyLimitBytes) {
    throw usage(`a message holds at most ${mailBodyLimitBytes / 1024} KiB`, 'put the rest into a file and name it');
  }
  const body = cleanText(letter.body).trim();
  if (body === '') throw usage('a message needs words', 'gastown mail send <to> "…"');
  const kind = mailKindOf(body);
  return town.store.mail.create({
    from: letter.from,
    to,
    type: kind ? mailKinds[kind].type : 'coordination',
    subject: subjectOf(letter.subject ?? body),
    body,
    payload: body,
    channel: 'mail',
    durable: true,
    priority: letter.priority ?? (kind ? mailKinds[kind].priority : 'normal'),
    timestamp: toIso(town.clock()),
    read: false,
  });
}

export interface Mailbox {
  /** Oldest first. */
  mail: Mail[];
  /** Messages nobody can read: they are shown by name and left where they are. */
  corrupt: { id: string; reason: string }[];
}

/** One mailbox, or its archive. */
export function readMailbox(town: Town, box: string, folder: 'inbox' | 'archive' = 'inbox'): Mailbox {
  const mail: Mail[] = [];
  const corrupt: Mailbox['corrupt'] = [];
  for (const [id, read] of town.store.mail.list(box, folder)) {
    if (read.kind === 'ok') mail.push(read.value);
    else if (read.kind !== 'absent') corrupt.push({ id, reason: read.reason });
  }
  return { mail, corrupt };
}

/** What the human should see, newest first. */
export function operatorMail(town: Town): Mail[] {
  return operatorsBoxes
    .flatMap((box) => readMailbox(town, box).mail)
    .sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0));
}

/** Marks a message read, in whichever box it lies; `reader` limits that to an agent's own. Exit 3 when there is none. */
export async function markMailRead(town: Town, id: string, reader: string | null = null): Promise<void> {
  parseId('session', id);
  const boxes = reader === null ? town.store.mail.mailboxes() : [reader];
  const box = boxes.find((name) => town.store.mail.list(name).has(id));
  if (box === undefined) throw refused(`there is no message ${id}`, 'see gastown mail');
  await town.store.mail.markRead(box, id);
}

/** Puts away what is older than a day; never an urgent message nobody has read. Answers how many. */
export async function archiveMail(town: Town): Promise<number> {
  let moved = 0;
  for (const box of town.store.mail.mailboxes().filter((name) => isId('agent', name))) {
    for (const mail of readMailbox(town, box).mail) {
      if (!isForArchive(mail, parseTime(mail.timestamp), town.clock())) continue;
      await town.store.mail.archive(box, mail.id);
      moved += 1;
    }
  }
  return moved;
}
