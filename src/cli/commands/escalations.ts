import { usage } from '../../domain/errors.ts';
import { parseId } from '../../domain/ids.ts';
import { formatAge } from '../../domain/time.ts';
import { answerEscalation, answers } from '../../town/deacon/answers.ts';
import { acknowledge, listEscalations } from '../../town/deacon/escalations.ts';
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

/** What waits for a human, the oldest first; with --all what was acknowledged as well. */
export async function list(call: Call): Promise<undefined> {
  const town = await call.town();
  const shown = listEscalations(town).filter((one) => call.flag('all') || one.acknowledged_at === null);
  const age = (at: string): string => formatAge(town.clock() - Date.parse(at));
  print(call, shown, () =>
    shown.length === 0
      ? ['nothing waits for a human']
      : columns(
          ['ID', 'AGE', 'KIND', 'AGENT', 'BEAD', 'WHAT'],
          shown.map((one) => [
            one.escalation_id,
            age(one.opened_at),
            one.kind,
            one.agent_id ?? '-',
            one.bead_id ?? '-',
            one.message,
          ]),
        ),
  );
}

export async function ack(call: Call): Promise<undefined> {
  const id = parseId('session', call.args[0]);
  const result = await acknowledge(await call.town(), id);
  print(call, { escalation_id: id, result }, () => [result]);
}

export async function answer(call: Call): Promise<undefined> {
  const id = parseId('session', call.args[0]);
  const word = answers.find((one) => one === call.args[1]);
  if (word === undefined)
    throw usage(`no such answer: ${JSON.stringify(call.args[1]?.slice(0, 40))}`, answers.join(', '));
  const result = await answerEscalation(await call.town(), id, word, call.rest.join(' '));
  print(call, { escalation_id: id, answer: word, result }, () => [result]);
}
