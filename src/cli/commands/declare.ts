import { type DeclarationKind, declareOwn } from '../../town/agent/declare.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function declare(call: Call, kind: DeclarationKind): Promise<undefined> {
  const session = await declareOwn(await call.town(), kind, call.rest.join(' '));
  print(call, session, () => [`the board shows you as ${session.status}; your next tool or prompt ends it`]);
}
