/** Commands on one agent: nudge, restart, stop, start, peek, focus, interrupt. */
import { receiptText } from '../../domain/delivery.ts';
import { usage } from '../../domain/errors.ts';
import type { Town } from '../../town/context.ts';
import { nudge as nudgeAgent } from '../../town/nudge.ts';
import { focus, interrupt, peek } from '../../town/pane-actions.ts';
import { restartAgent, type Started, startAgent, stopAgent } from '../../town/start.ts';
import { requireVerified } from '../../town/tell.ts';
import { agentArgument, wholeNumber } from '../arguments.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

/** Exit 3 unless there is proof that the agent got it; what is queued is tried again by the deacon. */
export async function nudge(call: Call): Promise<undefined> {
  const agent = agentArgument(call);
  const words = call.rest.length === 0 ? null : call.rest.join(' ');
  const receipt = await nudgeAgent(await call.town(), agent, words);
  print(call, { agent_id: agent, receipt }, () => [`nudge to ${agent}: ${receiptText(receipt)}`]);
  requireVerified(agent, receipt);
}

export const restart = (call: Call) => run(call, (town, agent) => restartAgent(town, agent));
export async function stop(call: Call): Promise<undefined> {
  if (call.flag('discard') && !call.flag('removeWorktree')) throw usage('--discard goes with --remove-worktree');
  await run(call, stopAgent);
  if (!call.flag('removeWorktree')) return;
  const { removeTree } = await import('../../town/remove-tree.ts');
  const result = await removeTree(await call.town(), agentArgument(call), call.flag('discard'));
  if (!call.flag('json')) call.io.out(`${result}\n`);
}

export const start = (call: Call) => run(call, (town, agent) => startAgent(town, agent, 'resume'));

async function run(call: Call, act: (town: Town, agentId: string) => Promise<Started>): Promise<undefined> {
  const agent = agentArgument(call);
  const result = await act(await call.town(), agent);
  print(call, { agent_id: agent, ...result }, () => [result.detail]);
}

export async function peekAt(call: Call): Promise<undefined> {
  const agent = agentArgument(call);
  const lines = await peek(await call.town(), agent, wholeNumber(call, 'lines', 40, [1, 10_000]));
  print(call, { agent_id: agent, lines }, () => lines);
}

export const focusOn = (call: Call) => say(call, focus);
export const interruptAgent = (call: Call) => say(call, interrupt);

async function say(call: Call, act: (town: Town, agentId: string) => Promise<string>): Promise<undefined> {
  const agent = agentArgument(call);
  const result = await act(await call.town(), agent);
  print(call, { agent_id: agent, result }, () => [result]);
}
