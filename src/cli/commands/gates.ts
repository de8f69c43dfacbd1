/** `pause`, `resume`, `estop`, `thaw`, `reset`: what the human's word holds back, and lets go on. */
import { agentOf } from '../../town/context.ts';
import { estop, pause, resume, thaw } from '../../town/deacon/gates.ts';
import { resetAgent } from '../../town/deacon/reset.ts';
import { agentArgument, agentOrNull } from '../arguments.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

const say = (call: Call, target: string, result: string): undefined => {
  print(call, { target, result }, () => [result]);
};

export async function pauseTarget(call: Call): Promise<undefined> {
  const target = agentOrNull(call) ?? 'town';
  return say(call, target, await pause(await call.town(), target, call.text('reason') ?? ''));
}

export async function resumeTarget(call: Call): Promise<undefined> {
  const target = agentOrNull(call) ?? 'town';
  return say(call, target, await resume(await call.town(), target));
}

export async function stopAll(call: Call): Promise<undefined> {
  return say(call, 'town', await estop(await call.town(), call.rest.join(' ')));
}

export async function thawAll(call: Call): Promise<undefined> {
  return say(call, 'town', await thaw(await call.town()));
}

export async function reset(call: Call): Promise<undefined> {
  const agent = agentArgument(call);
  const town = await call.town();
  agentOf(town, agent);
  return say(call, agent, await resetAgent(town, agent));
}
