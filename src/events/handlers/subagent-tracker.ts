/** Keeps the tree of a session's subagents. It answers nothing, ever: words at a subagent's end would run it again (seed 004, #3203). */
import { asObject, textAt } from '../../domain/event.ts';
import { toolKindOf } from '../../domain/handlers/tools.ts';
import { cleanLine } from '../../domain/text.ts';
import { toIso } from '../../domain/time.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { noSubagents, type Subagents, subagentsSlot } from '../../town/handlers/subagents.ts';
import { writeState } from '../../town/state.ts';
import type { EventHandler, HandlerContext } from '../handler.ts';

const finishedKept = 100;

export const subagentTrackerHandler: EventHandler = {
  name: 'subagent-tracker',
  events: ['subagent_start', 'subagent_end', 'tool_start', 'session_end'],
  priority: 41,
  enabled: ({ event }) =>
    event.session_id !== null &&
    (event.kind !== 'tool_start' || (event.tool !== null && toolKindOf(event.tool.name) === 'Agent')),
  handle: async (context) => {
    const { store, event } = context;
    await writeState(
      store,
      subagentsSlot(store, event.session_id ?? ''),
      (current) => changed(current ?? noSubagents, context),
      { waitMs: eventLockWaitMs },
    );
    return null;
  },
};

function changed(before: Subagents, context: HandlerContext): Subagents | null {
  switch (context.event.kind) {
    case 'tool_start':
      return called(before, context);
    case 'subagent_start':
      return began(before, context);
    case 'subagent_end':
      return ended(before, context);
    default:
      return allEnded(before, context);
  }
}

function called(before: Subagents, { event }: HandlerContext): Subagents {
  const input = asObject(event.tool?.input) ?? {};
  const task = cleanLine(textAt(input, 'description') ?? textAt(input, 'prompt') ?? '').slice(0, 200);
  const type = textAt(input, 'subagent_type') ?? '';
  return { ...before, called: [...before.called, { type, task, parent: event.subagent }].slice(-20) };
}

function began(before: Subagents, { event, now }: HandlerContext): Subagents | null {
  const id = event.subagent ?? '';
  if (id === '' || before.agents.some((one) => one.id === id)) return null;
  const type = textAt(event.payload, 'agent_type') ?? '';
  const call = before.called.find((one) => one.type === type) ?? before.called[0];
  const agent = {
    id,
    type: type || (call?.type ?? ''),
    task: call?.task ?? '',
    parent: call?.parent ?? null,
    started_at: toIso(now),
    ended_at: null,
    outcome: null,
    summary: '',
  };
  const running = before.agents.filter((one) => one.ended_at === null);
  const finished = before.agents.filter((one) => one.ended_at !== null).slice(-finishedKept);
  return {
    agents: [...finished, ...running, agent],
    called: before.called.filter((one) => one !== call),
    total: before.total + 1,
  };
}

/** An end without a beginning, as a compaction's, is nobody's; an id nobody knows is the only running one of its kind. */
function ended(before: Subagents, { event, now }: HandlerContext): Subagents | null {
  const type = textAt(event.payload, 'agent_type') ?? '';
  const running = before.agents.filter((one) => one.ended_at === null);
  const alike = running.filter((one) => type !== '' && one.type === type);
  const which = running.find((one) => one.id === event.subagent) ?? (alike.length === 1 ? alike[0] : undefined);
  if (which === undefined) return null;
  const done = {
    ...which,
    ended_at: toIso(now),
    outcome: 'completed',
    summary: cleanLine(event.text ?? '').slice(0, 300),
  };
  return { ...before, agents: before.agents.map((one) => (one === which ? done : one)) };
}

function allEnded(before: Subagents, { now }: HandlerContext): Subagents | null {
  if (before.agents.every((one) => one.ended_at !== null)) return null;
  const agents = before.agents.map((one) =>
    one.ended_at === null ? { ...one, ended_at: toIso(now), outcome: 'lost' } : one,
  );
  return { ...before, agents, called: [] };
}
