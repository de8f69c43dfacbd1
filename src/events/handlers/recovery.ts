/** What to do after an edit that did not match, and after the same failure again and again. The runtime's own word counts as failure, never words in an output. */
import { adviceFor, failureMark } from '../../domain/handlers/failures.ts';
import { failureOf } from '../../domain/handlers/tools.ts';
import { checkedBy, number, objectOf, text } from '../../domain/shape.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { handlerSlot, writeState } from '../../town/state.ts';
import { type EventHandler, type HandlerContext, optionOf } from '../handler.ts';

interface Failures {
  mark: string;
  times: number;
  /** Milliseconds. */
  at: number;
}
const shape = checkedBy<Failures>(objectOf({ mark: text, times: number, at: number }));

/** Failures further apart are two stories. */
const seriesMs = 900_000;

export const recoveryHandler: EventHandler = {
  name: 'recovery',
  events: ['tool_end'],
  priority: 50,
  enabled: (context) => failedWith(context) !== null,
  handle: async (context) => {
    const { event, store, now } = context;
    const error = failedWith(context);
    if (event.tool === null || error === null) return null;
    const mark = failureMark(event.tool.name, error);
    const slot = handlerSlot(store, 'recovery', event.session_id ?? '', shape);
    const written = await writeState(
      store,
      slot,
      (current) => ({
        mark,
        at: now,
        times: current?.mark === mark && now - current.at < seriesMs ? current.times + 1 : 1,
      }),
      { waitMs: eventLockWaitMs },
    );
    const times = written.value?.times ?? 1;
    const repeats = optionOf(context, 'recovery', 'repeats', 5);
    const again =
      times % repeats === 0
        ? `The same failure ${times} times in a row: change your approach. Read what is really there, try another way, or say that you are stuck.`
        : null;
    const lines = [adviceFor(event.tool.name, error), again].filter((line) => line !== null);
    return lines.length === 0 ? null : { context: `[gastown] ${lines.join(' ')}` };
  },
};

/** An interrupt by the human is no failure. */
const failedWith = ({ event }: HandlerContext): string | null =>
  event.tool === null || event.payload['is_interrupt'] === true
    ? null
    : failureOf(event.name, event.tool, event.payload);
