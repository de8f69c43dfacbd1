/** The context gauge: measured when a turn ends, hinted at once above the threshold, forgotten after a compaction. */

import type { EventAnswer } from '../../domain/event.ts';
import { toIso } from '../../domain/time.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { gaugeOf, gaugeSlot, measureContext } from '../../town/handlers/context-gauge.ts';
import { removeState, writeState } from '../../town/state.ts';
import { type EventHandler, type HandlerContext, optionOf } from '../handler.ts';

const lock = { waitMs: eventLockWaitMs };
const name = 'preemptive-compaction';

export const preemptiveCompactionHandler: EventHandler = {
  name,
  events: ['stop', 'prompt', 'compact_end', 'session_start'],
  priority: 45,
  enabled: ({ event }) => event.subagent === null && event.session_id !== null,
  handle: (context) => {
    switch (context.event.kind) {
      case 'stop':
        return measure(context);
      case 'prompt':
        return hint(context);
      default:
        return forget(context);
    }
  },
};

async function measure(context: HandlerContext): Promise<null> {
  const { event, store, now } = context;
  const window = optionOf(context, name, 'window', 0);
  const found = event.transcript === null ? null : measureContext(event.transcript, window === 0 ? null : window);
  if (found === null) return null;
  const percent = Math.min(999, Math.round((found.tokens * 100) / found.window));
  await writeState(
    store,
    gaugeSlot(store, event.session_id ?? ''),
    (current) =>
      current?.tokens === found.tokens ? null : { ...found, percent, at: toIso(now), hinted: current?.hinted ?? false },
    lock,
  );
  return null;
}

async function hint(context: HandlerContext): Promise<EventAnswer | null> {
  const { event, store } = context;
  const sessionId = event.session_id ?? '';
  const threshold = optionOf(context, name, 'percent', 75);
  const gauge = gaugeOf(store, sessionId);
  if (gauge === null || gauge.hinted || gauge.percent < threshold) return null;
  await writeState(store, gaugeSlot(store, sessionId), (current) => current && { ...current, hinted: true }, lock);
  const gt = `${store.paths.binDir}/gt`;
  return {
    context: `[gastown] Your context window is ${gauge.percent} % full (${gauge.tokens} of ${gauge.window} tokens). Finish what is at hand, keep what must not be lost with ${gt} notepad --priority "…", then compact or hand over.`,
  };
}

/** What was measured before a compaction is not true any more. */
async function forget({ event, store }: HandlerContext): Promise<null> {
  if (event.kind === 'session_start' && event.source !== 'compact') return null;
  await removeState(store, gaugeSlot(store, event.session_id ?? ''), undefined, lock);
  return null;
}
