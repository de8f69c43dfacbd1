import { parseId } from '../../domain/ids.ts';
import { acceptProposal, proposals, rejectProposal } from '../../town/deacon/learning.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

/** What the measurements suggest; nothing changes until it is accepted. */
export async function list(call: Call): Promise<undefined> {
  const all = await proposals(await call.town());
  const shown = all.filter(({ status }) => call.flag('all') || status === 'open');
  print(call, shown, () =>
    shown.length === 0
      ? ['nothing to propose']
      : shown.flatMap(({ proposal_id, runtime, setting, current, proposed, reason, evidence, status }) => [
          setting === null
            ? `${proposal_id} (${status}): ${runtime}`
            : `${proposal_id} (${status}): ${runtime} ${setting} ${current} → ${proposed}`,
          `  ${reason}`,
          `  evidence: ${Object.entries(evidence)
            .map(([name, value]) => `${name} ${+value.toFixed(2)}`)
            .join(', ')}`,
        ]),
  );
}

export async function accept(call: Call): Promise<undefined> {
  const id = parseId('session', call.args[0]);
  const result = await acceptProposal(await call.town(), id);
  print(call, { proposal_id: id, result }, () => [result]);
}

export async function reject(call: Call): Promise<undefined> {
  const id = parseId('session', call.args[0]);
  const result = await rejectProposal(await call.town(), id);
  print(call, { proposal_id: id, result }, () => [result]);
}
