/** The records that an event opens, as shapes (`shape.ts`): each accepts what the schema of its name accepts. */
import { beadStatuses, priorities } from './bead.ts';
import { hookStatuses } from './hook.ts';
import { freshnessStatuses, gateKinds } from './records.ts';
import { flag, listOf, number, objectOf, oneOf, orAbsent, orNull, text, time } from './shape.ts';

const textOrNull = orNull(text);
const timeOrNull = orNull(time);

export const agentShape = objectOf({
  agent_id: text,
  role: text,
  runtime: text,
  instance_id: textOrNull,
  pane_id: textOrNull,
  pid: orNull(number),
  pid_started: textOrNull,
  started_at: timeOrNull,
  session_id: textOrNull,
  previous_sessions: listOf(text),
  worktree: textOrNull,
  branch: textOrNull,
  stop_intent: flag,
  strategy: textOrNull,
  fallback_at: timeOrNull,
  ready_at: timeOrNull,
  first_event_at: timeOrNull,
  start_error: textOrNull,
  start_text: textOrNull,
  start_receipt: textOrNull,
  primed_at: timeOrNull,
});

const maybe = (keys: Parameters<typeof objectOf>[0]) => orAbsent(orNull(objectOf(keys)));

export const sessionShape = objectOf({
  session_id: text,
  agent_id: textOrNull,
  governed: flag,
  status: oneOf(freshnessStatuses),
  note: textOrNull,
  proposal: textOrNull,
  tool_use_id: textOrNull,
  updated_at: time,
  source: text,
  permission: maybe({ tool: text, at: time, what: orAbsent(text) }),
  subagent_question: maybe({ note: text, tool_use_id: text, at: time }),
  subagents: orAbsent(listOf(text)),
  stop_asked_at: orAbsent(timeOrNull),
  stopped_at: orAbsent(timeOrNull),
  ended_at: orAbsent(timeOrNull),
  instance_id: orAbsent(textOrNull),
  owner: maybe({ pid: number, pid_started: text }),
});

export const hookShape = objectOf(
  {
    agent_id: text,
    status: oneOf(hookStatuses),
    work_item: orNull(objectOf({ bead_id: text, title: text, assigned_at: time })),
    last_activity: time,
  },
  ({ status, work_item }) =>
    (status === 'empty') === (work_item === null) ? null : 'work_item: null exactly when the hook is empty',
);

export const beadShape = objectOf({
  bead_id: text,
  title: text,
  description: text,
  status: oneOf(beadStatuses),
  priority: oneOf(priorities),
  assignee: textOrNull,
  needs: listOf(text),
  created_at: time,
});

export const gateShape = objectOf({ kind: oneOf(gateKinds), reason: text, opened_at: time, by: text });
