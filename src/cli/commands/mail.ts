/** `gastown mail` and `gt mail`: look, read one whole, send. */
import { refused } from '../../domain/errors.ts';
import { parseId } from '../../domain/ids.ts';
import type { Mail } from '../../domain/records.ts';
import { cleanText } from '../../domain/text.ts';
import { formatAge } from '../../domain/time.ts';
import { callerOf } from '../../town/agent/caller.ts';
import type { Town } from '../../town/context.ts';
import { markMailRead, operatorMail, readMailbox, sendMail } from '../../town/deacon/mail.ts';
import { agentOrNull } from '../arguments.ts';
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { print, warn } from '../print.ts';

/** The operator's mail, or one mailbox. */
export async function list(call: Call): Promise<undefined> {
  const box = agentOrNull(call);
  const town = await call.town();
  printList(call, town, box === null ? operatorMail(town) : readBox(call, town, box));
}

/** The caller's own mailbox. */
export async function listOwn(call: Call): Promise<undefined> {
  const town = await call.town();
  const { agent } = await callerOf(town);
  printList(call, town, readBox(call, town, agent.agent_id));
}

export async function read(call: Call): Promise<undefined> {
  const id = parseId('session', call.args[0]);
  const town = await call.town();
  await printOne(call, town, id, null);
}

export async function readOwn(call: Call): Promise<undefined> {
  const id = parseId('session', call.args[0]);
  const town = await call.town();
  const { agent } = await callerOf(town);
  await printOne(call, town, id, agent.agent_id);
}

export async function send(call: Call): Promise<undefined> {
  const town = await call.town();
  printSent(call, sendMail(town, { from: 'operator', to: call.args[0] ?? '', body: call.rest.join(' ') }));
}

export async function sendOwn(call: Call): Promise<undefined> {
  const town = await call.town();
  const { agent } = await callerOf(town);
  printSent(call, sendMail(town, { from: agent.agent_id, to: call.args[0] ?? '', body: call.rest.join(' ') }));
}

const printSent = (call: Call, mail: Mail): void => print(call, mail, () => [`sent to ${mail.to}: ${mail.id}`]);

function readBox(call: Call, town: Town, box: string): Mail[] {
  const { mail, corrupt } = readMailbox(town, box);
  for (const { id, reason } of corrupt) warn(call, `the message ${id} cannot be read: ${reason}`);
  return mail.toReversed();
}

function printList(call: Call, town: Town, all: readonly Mail[]): void {
  const mail = call.flag('unread') ? all.filter((one) => !one.read) : all;
  print(call, mail, () =>
    mail.length === 0
      ? ['no mail']
      : columns(
          ['ID', 'AGE', 'FROM', 'NEW', 'SUBJECT'],
          mail.map((one) => [
            one.id,
            formatAge(town.clock() - Date.parse(one.timestamp)),
            one.from,
            one.read ? '' : one.priority === 'urgent' ? 'urgent' : 'new',
            one.subject,
          ]),
        ),
  );
}

async function printOne(call: Call, town: Town, id: string, reader: string | null): Promise<void> {
  await markMailRead(town, id, reader);
  const boxes = reader === null ? town.store.mail.mailboxes() : [reader];
  const mail = boxes.flatMap((box) => readMailbox(town, box).mail).find((one) => one.id === id);
  if (!mail) throw refused(`the message ${id} cannot be read any more`, 'gastown mail');
  print(call, mail, () => [
    `from     ${mail.from}`,
    `to       ${mail.to}`,
    `at       ${mail.timestamp}`,
    `subject  ${cleanText(mail.subject)}`,
    '',
    cleanText(mail.body),
  ]);
}
