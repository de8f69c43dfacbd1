/** `handlers/in-force.json`: which handlers are on, written at `up` and read by every event that has to know. */
import type { InForce } from '../../domain/handlers/in-force.ts';
import { checkedBy, listOf, objectOf, text } from '../../domain/shape.ts';
import { handlerSlot, readState, type StatePlace } from '../state.ts';

const shape = checkedBy<InForce>(
  objectOf({
    roles: objectOf(
      Object.fromEntries(
        ['mayor', 'witness', 'refinery', 'polecat', 'crew'].map((role) => [
          role,
          objectOf({ on: listOf(text), look: listOf(text), slow: objectOf({ claude: listOf(text) }) }),
        ]),
      ),
    ),
    options: objectOf({}),
    own: listOf(objectOf({ name: text, file: text, sha256: text })),
  }),
);

export const inForceSlot = (place: StatePlace) => handlerSlot(place, 'in-force', null, shape);

/** Null where `up` has not written it, or nobody can read it: then an event loads what it always did. */
export function readInForce(place: StatePlace): InForce | null {
  const read = readState(place, inForceSlot(place));
  return read.kind === 'ok' ? read.value : null;
}
