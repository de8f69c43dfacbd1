/** A checkpoint before a compaction, given back when the session goes on: at its new start, else with the next prompt, and once. */
import type { EventAnswer } from '../../domain/event.ts';
import { toIso } from '../../domain/time.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { forgetGiven } from '../../town/handlers/budget.ts';
import { type Checkpoint, checkpointOf, checkpointSlot, checkpointText } from '../../town/handlers/checkpoint.ts';
import { readState, writeState } from '../../town/state.ts';
import { type EventHandler, type HandlerContext, optionOf } from '../handler.ts';

const lock = { waitMs: eventLockWaitMs };

export const preCompactHandler: EventHandler = {
  name: 'pre-compact',
  events: ['compact_start', 'compact_end', 'session_start', 'prompt'],
  priority: 25,
  enabled: ({ event }) =>
    event.subagent === null &&
    event.session_id !== null &&
    (event.kind !== 'session_start' || event.source === 'compact'),
  handle: (context) => {
    switch (context.event.kind) {
      case 'compact_start':
        return save(context);
      case 'compact_end':
        return compacted(context);
      default:
        return giveBack(context);
    }
  },
};

/** It answers nothing: no runtime takes words here, and a block would hold the session for ever. */
async function save({ event, store, agent, env, now }: HandlerContext): Promise<null> {
  const sessionId = event.session_id ?? '';
  const trigger = String(event.payload['trigger'] ?? 'auto');
  // Gemini announces one before every turn and never tells whether it came: only one that was asked for is taken for real.
  const due = event.name === 'PreCompress' && trigger === 'manual';
  const checkpoint = checkpointOf({ store, agent, sessionId, env, now }, trigger, due);
  await writeState(store, checkpointSlot(store, sessionId), () => checkpoint, lock);
  return null;
}

/** From now on the session has lost what it was told. */
async function compacted({ event, store, agent, env, now }: HandlerContext): Promise<null> {
  const sessionId = event.session_id ?? '';
  await forgetGiven(store, sessionId);
  await writeState(
    store,
    checkpointSlot(store, sessionId),
    (current): Checkpoint | null => {
      // opencode tells of a compaction only afterwards.
      if (current === null) return checkpointOf({ store, agent, sessionId, env, now }, 'auto', true);
      return current.restored_at === null ? { ...current, due: true } : null;
    },
    lock,
  );
  return null;
}

async function giveBack(context: HandlerContext): Promise<EventAnswer | null> {
  const { event, store, now } = context;
  const sessionId = event.session_id ?? '';
  const slot = checkpointSlot(store, sessionId);
  const read = readState(store, slot);
  if (read.kind !== 'ok' || read.value.restored_at !== null) return null;
  if (event.kind === 'prompt' && !read.value.due) return null;
  if (event.kind === 'session_start') await forgetGiven(store, sessionId);
  await writeState(
    store,
    slot,
    (current) => (current?.at === read.value.at ? { ...current, due: false, restored_at: toIso(now) } : null),
    lock,
  );
  return { context: checkpointText(read.value, optionOf(context, 'pre-compact', 'bytes', 4_000)) };
}
