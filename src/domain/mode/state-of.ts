/** Reading a mode's own state: it is data on disk, and a key of the wrong shape is read as its resting value. */
import * as z from 'zod/mini';
import type { ModeState } from './mode.ts';

/** The state as `schema` has it, or `fallback` where it is not that. */
export function stateAs<T>(schema: z.ZodMiniType<T>, state: ModeState, fallback: T): T {
  const read = z.safeParse(schema, state);
  return read.success ? read.data : fallback;
}
