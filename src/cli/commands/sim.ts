import { simBehaviours } from '../../domain/sim.ts';
import { orderSim } from '../../town/sim-order.ts';
import { agentArgument, oneOf, wholeNumber } from '../arguments.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function sim(call: Call): Promise<undefined> {
  const agent = agentArgument(call);
  const behaviour = oneOf(call.args[1] ?? '', simBehaviours, 'behaviour');
  const number = (name: string) =>
    call.text(name) === undefined ? {} : { [name]: wholeNumber(call, name, 0, [0, 86_400]) };
  const text = call.text('text');
  const details = { ...number('seconds'), ...number('count'), ...(text === undefined ? {} : { text }) };
  const order = await orderSim(await call.town(), agent, behaviour, details);
  print(call, order, () => [`${agent} is told to ${behaviour}`]);
}
