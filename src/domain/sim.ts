/** What a simulated agent is told to do: `.chipset/state/sim/<agent>.json`, written by `gastown sim`, read by the agent. */
import * as z from 'zod/mini';
import { isoTime, toIso } from './time.ts';

export const simBehaviours = [
  'stall',
  'ask',
  'limit',
  'dialog',
  'swallow-enter',
  'slow-start',
  'crash',
  'recover',
] as const;
export type SimBehaviour = (typeof simBehaviours)[number];

/**
 * `stall`, `limit`, `dialog`, `swallow-enter` and `slow-start` hold for every run of the agent until `recover`; `ask` and
 * `crash` happen once, in the run that sees them come.
 */
export const simOrderSchema = z.looseObject({
  behaviour: z.enum(simBehaviours),
  /** When it was ordered. */
  at: isoTime,
  /** `ask`: the question. */
  text: z.nullable(z.string()),
  /** `swallow-enter`: submit keys to ignore. `stall`: submitted lines after which it goes on; null: only by `recover`. */
  count: z.nullable(z.number()),
  /** `limit`: until it resets. `slow-start`: before it reads its terminal. */
  seconds: z.nullable(z.number()),
});
export type SimOrder = z.infer<typeof simOrderSchema>;

const defaults: Partial<Record<SimBehaviour, Partial<SimOrder>>> = {
  ask: { text: 'Which of the two doors shall I mend?' },
  limit: { seconds: 60 },
  'swallow-enter': { count: 2 },
  'slow-start': { seconds: 8 },
};

/** The order of a behaviour, its details filled in; `now` in milliseconds. */
export const simOrder = (
  behaviour: SimBehaviour,
  now: number,
  details: Partial<Pick<SimOrder, 'text' | 'count' | 'seconds'>> = {},
): SimOrder => ({
  behaviour,
  at: toIso(now),
  text: null,
  count: null,
  seconds: null,
  ...defaults[behaviour],
  ...details,
});
