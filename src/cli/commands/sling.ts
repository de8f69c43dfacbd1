import { refused, usage } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { clearHook } from '../../town/claim.ts';
import { agentOf } from '../../town/context.ts';
import { requireTold, sling, toldText } from '../../town/sling.ts';
import { agentArgument, agentOrNull } from '../arguments.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

/** A word that has a bead's shape is a bead; anything else is the title of a new one. */
export async function slingWork(call: Call): Promise<undefined> {
  const work = call.args[0] ?? '';
  if (work.trim() === '') throw usage('there is nothing to sling', 'gastown sling <bead or "title"> [agent]');
  const agent = agentOrNull(call, 1);
  const town = await call.town();
  // Before a bead is added for it: an agent that does not exist must leave nothing behind.
  if (agent !== null) agentOf(town, agent);
  else if (town.agents.length === 0) throw refused('this town has no agents', 'gastown init writes a configuration');
  const slung = await sling(town, { ...(looksLikeBead(work) ? { bead: work } : { title: work }), agent });
  print(call, { bead: slung.bead, agent_id: slung.agent_id, receipt: slung.told }, () => [
    `${slung.bead.bead_id} is on the hook of ${slung.agent_id}: ${toldText(slung.told)}`,
  ]);
  if (call.flag('wait')) requireTold(slung);
}

/** A plain word or several are a title. A word with marks in it is a bead's id, and has to be a good one. */
function looksLikeBead(work: string): boolean {
  if (/\s/.test(work.trim()) || /^[\p{L}\p{N}]{1,60}$/u.test(work)) return false;
  if (!isId('bead', work)) throw malformed(work);
  return true;
}

const malformed = (work: string) =>
  usage(`neither a bead nor a title: ${JSON.stringify(work.slice(0, 60))}`, 'bead ids look like gt-abc12');

export async function clear(call: Call): Promise<undefined> {
  const agent = agentArgument(call);
  const reason = call.text('reason')?.trim();
  if (call.flag('force') && !reason) throw usage('--force needs a reason', 'add --reason "…"');
  const cleared = await clearHook(await call.town(), agent, call.flag('force') && reason ? { reason } : null);
  print(call, { agent_id: agent, result: cleared }, () => [cleared]);
}
