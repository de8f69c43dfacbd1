/**
 * One event, from the payload's text to the bytes of the answer. Reads top to bottom: who calls → what it says → whose
 * session → signs of life → handlers → freshness → answer. It never throws: what fails is counted and costs its own
 * part, and the runtime goes on (seed 003, DESIGN section 6).
 */

import { errorText } from '../domain/errors.ts';
import { asObject, type EventAnswer, type RuntimeEvent } from '../domain/event.ts';
import { gateText, needsDeclaration, newSession, nextSession, type StopFacts } from '../domain/freshness.ts';
import type { KnownRuntime } from '../domain/handlers/entry.ts';
import type { RoleInForce } from '../domain/handlers/in-force.ts';
import type { Hook } from '../domain/hook.ts';
import { stopCause } from '../domain/mode/stop-cause.ts';
import { shellWord } from '../domain/quote.ts';
import type { AgentRecord, SessionRecord } from '../domain/records.ts';
import type { Role } from '../domain/role.ts';
import { toIso } from '../domain/time.ts';
import { callLine, endsAllCalls } from '../domain/tool-calls.ts';
import { changeHook } from '../store/hooks.ts';
import { eventLockWaitMs } from '../store/lock.ts';
import { requireReadable } from '../store/record.ts';
import { canaryPrefix, landCanary } from '../town/events/canary-sign.ts';
import { leavePromptProof } from '../town/events/prompt-proof.ts';
import { changeSession } from '../town/events/sessions.ts';
import { type EventStore, openEventStore } from '../town/events/store.ts';
import { endAllCalls, noteCall } from '../town/events/tool-calls.ts';
import { countTrouble } from '../town/events/trouble.ts';
import { readGuard } from '../town/handlers/file-guards.ts';
import { readInForce } from '../town/handlers/in-force.ts';
import { hasModes } from '../town/modes/has-modes.ts';
import { type Belonging, belongs, boundRecord, withSession } from './bind.ts';
import type { Caller } from './caller.ts';
import { formatOf } from './formats.ts';
import { type EventHandler, type HandlerContext, runHandlers } from './handler.ts';
import type { LoadFacts } from './handlers.ts';
import { type Ancestry, ancestryOf } from './owner.ts';

export interface EventCall {
  caller: Caller;
  /** The runtime's own name of the event, and the word its matcher added for a tool. */
  name: string;
  toolWord: string | null;
  /** Bytes of stdin as text. */
  payload: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  now: number;
  /** The process that runs this program. */
  parent: number;
  /** What is called for an event; its code is loaded then and not before. */
  handlers: (event: RuntimeEvent, facts: LoadFacts) => Promise<readonly EventHandler[]>;
}

/** Answers what goes to stdout: one JSON document with a newline, or nothing. */
export async function handleEvent(call: EventCall): Promise<string> {
  const { caller } = call;
  const store = openEventStore(caller.stateDir);
  const trouble = (what: string): void => countTrouble(store.paths, caller.agentId, what);
  try {
    if (caller.instanceId?.startsWith(canaryPrefix)) {
      landCanary(store.paths, caller.agentId, caller.instanceId);
      return '';
    }
    const agent = requireReadable(store.agents.place(caller.agentId), store.agents.read(caller.agentId));
    if (agent === null) return '';
    const own = await presentRun(store, agent, call);
    if (own === null) return '';
    const format = formatOf(own.runtime);
    const payload = parsePayload(call.payload);
    if (typeof payload === 'string') {
      trouble(`${call.name}: ${payload}`);
      signsOfLife(store, call, format.parse(call.name, {}), trouble);
      return '';
    }
    const event = format.parse(call.name, payload);
    return format.format(event, await handleOwn({ call, store, agent: own, event, trouble }));
  } catch (error) {
    trouble(`${call.name}: ${errorText(error)}`);
    return '';
  }
}

interface Work {
  call: EventCall;
  store: EventStore;
  agent: AgentRecord;
  event: RuntimeEvent;
  trouble(what: string): void;
}

async function handleOwn(work: Work): Promise<EventAnswer> {
  const { call, store, event, trouble } = work;
  let ancestry: Ancestry | null = null;
  const ancestors = (): Ancestry => {
    ancestry ??= ancestryOf(call.parent);
    return ancestry;
  };
  const whose = belongs(store, work.agent, event, ancestors);
  if (whose.kind === 'none') {
    trouble(`${call.name}: ${whose.why}`);
    return {};
  }
  if (whose.kind === 'nested') {
    if (!whose.recorded) await recordNested(work, whose.sessionId);
    return {};
  }
  signsOfLife(store, call, event, trouble);
  const before = whose.bind ? await bind(work, whose, ancestors) : whose.record;
  if (before === null) return {};
  const agent = whose.bind ? withSession(work.agent, whose.sessionId, toIso(call.now)) : work.agent;
  if (agent.first_event_at === null) await noteFirstEvent(work);

  const inForce = readInForce(store);
  const ofRole = inForce?.roles[agent.role as Role] ?? null;
  const guard = await contained(trouble, 'ultrapilot', () => readGuard(store, agent.agent_id));
  const handlers = await call.handlers(event, {
    bound: whose.bind,
    hasModes: () => hasModes(store.paths, whose.sessionId),
    inForce,
    ofRole,
    isGuarded: guard !== null,
  });
  const context: HandlerContext = {
    event,
    agent,
    session: before,
    bound: whose.bind,
    store,
    stateDir: call.caller.stateDir,
    inForce,
    env: call.env,
    now: call.now,
    trouble,
  };
  const answer = await runHandlers(handlers, context);
  await contained(trouble, 'hook', () => activate(store, agent.agent_id, event, call.now));
  return settle(work, before, answer, [...slowFor(ofRole, agent.runtime), ...(guard?.slow ?? [])]);
}

/** Writes what the event makes of the session, and answers a stop that has to be declared first. */
async function settle(
  work: Work,
  before: SessionRecord,
  answer: EventAnswer,
  slow: readonly string[],
): Promise<EventAnswer> {
  const { call, store, event, trouble } = work;
  const bead = event.kind === 'stop' ? beadToRun(store, work.agent.agent_id) : null;
  // A turn that the runtime itself had to end is never held: it may have to compact, or wait for its limit.
  const isFree = answer.block || answer.taken || (bead !== null && stopCause(event) !== null);
  const asks = !isFree && needsDeclaration(before, event, bead !== null);
  const blockedBy = answer.block ? 'handler' : asks ? 'gate' : null;
  const stop: StopFacts = { work: bead !== null, blockedBy };
  // A prompt is followed by work: the first tool of a turn is always looked at (it may be a question).
  const fast = event.kind === 'prompt' ? null : { slow };
  const written = await contained(trouble, 'session', () =>
    changeSession(store, before.session_id, (current) => nextSession(current, event, call.now, stop), fast, {
      waitMs: eventLockWaitMs,
    }),
  );
  if (event.kind === 'prompt' && event.subagent === null) {
    await contained(trouble, 'prompt', () => {
      const prompt = { session_id: before.session_id, text: event.prompt ?? '' };
      leavePromptProof(store.paths, work.agent.agent_id, prompt, call.now);
    });
  }
  // Asked without a record that it was asked, it would be asked for ever.
  if (asks && written && bead !== null) {
    return { ...answer, block: gateText(shellWord(`${store.paths.binDir}/gt`), bead) };
  }
  return answer;
}

/** Tool events that a handler in force wants to see even while nothing else changes. Anything unknown speaks Claude's form. */
const slowFor = (ofRole: RoleInForce | null, runtime: string): readonly string[] =>
  ofRole?.slow[runtime as KnownRuntime] ?? ofRole?.slow.claude ?? [];

/** Null for a run that is over: its last events change nothing. */
async function presentRun(store: EventStore, agent: AgentRecord, call: EventCall): Promise<AgentRecord | null> {
  const { instanceId } = call.caller;
  const isPresent = (record: AgentRecord): boolean =>
    instanceId === null || record.instance_id === null || record.instance_id === instanceId;
  if (isPresent(agent)) return agent;
  if (call.name !== 'SessionStart') return null;
  // A quick program reports its start before the town has written the run down.
  for (let waited = 0; waited < 2_000; waited += 50) {
    await new Promise((done) => setTimeout(done, 50));
    const read = store.agents.read(agent.agent_id);
    if (read.kind === 'ok' && isPresent(read.value)) return read.value;
  }
  return null;
}

/** The payload as an object, or in words what is wrong with it. */
function parsePayload(text: string): Readonly<Record<string, unknown>> | string {
  if (text.trim() === '') return 'empty payload';
  try {
    return asObject(JSON.parse(text)) ?? 'payload is not an object';
  } catch {
    return 'malformed payload';
  }
}

/** The hot path of the shell entry does the same. */
function signsOfLife(store: EventStore, call: EventCall, event: RuntimeEvent, trouble: Work['trouble']): void {
  const { agentId } = call.caller;
  try {
    store.heartbeat.touch(agentId, 'event', call.name);
    const line = callLine(event.kind, call.toolWord ?? 'tool');
    if (line !== null || event.kind === 'batch_end') store.heartbeat.touch(agentId, 'tool', call.name);
    if (line !== null) noteCall(store.paths, agentId, line);
    else if (endsAllCalls(event.kind) && event.subagent === null) endAllCalls(store.paths, agentId);
  } catch (error) {
    trouble(`heartbeat: ${errorText(error)}`);
  }
}

async function bind(
  work: Work,
  whose: Extract<Belonging, { kind: 'own' }>,
  ancestors: () => Ancestry,
): Promise<SessionRecord | null> {
  const { call, store, event, trouble } = work;
  const { agent_id: agentId } = work.agent;
  const options = { waitMs: eventLockWaitMs };
  const { owner } = ancestors();
  const bound = await contained(trouble, 'session', () =>
    changeSession(
      store,
      whose.sessionId,
      (current) => boundRecord(current, whose.sessionId, work.agent, event, owner, call.now),
      null,
      options,
    ),
  );
  if (!bound) return null;
  await contained(trouble, 'agent', () =>
    store.agents.update(
      agentId,
      (current) => current && withSession(current, whose.sessionId, toIso(call.now)),
      options,
    ),
  );
  if (whose.sessionId !== work.agent.session_id || whose.record === null) {
    const message = `session ${whose.sessionId} is ${agentId}'s (${event.source ?? event.name})`;
    await contained(trouble, 'journal', () =>
      store.journal.append({ at: toIso(call.now), kind: 'session.bound', by: agentId, agent_id: agentId, message }),
    );
  }
  return bound.value;
}

/** So that its later events are known for what they are. */
async function recordNested({ call, store, agent, trouble }: Work, sessionId: string): Promise<void> {
  await contained(trouble, 'session', () =>
    store.sessions.update(sessionId, (current) => current ?? newSession(sessionId, agent.agent_id, false, call.now), {
      waitMs: eventLockWaitMs,
    }),
  );
}

async function noteFirstEvent({ call, store, agent, trouble }: Work): Promise<void> {
  const at = toIso(call.now);
  await contained(trouble, 'agent', () =>
    store.agents.update(
      agent.agent_id,
      (current) =>
        current && { ...current, first_event_at: current.first_event_at ?? at, ready_at: current.ready_at ?? at },
      { waitMs: eventLockWaitMs },
    ),
  );
}

/** The first tool of the agent's own begins the work; prompts never do, for ours arrive as prompts (decision 8). */
async function activate(store: EventStore, agentId: string, event: RuntimeEvent, now: number): Promise<void> {
  if (event.subagent !== null || (event.kind !== 'tool_start' && event.kind !== 'tool_end')) return;
  const read = store.hooks.read(agentId);
  if (read.kind !== 'ok' || read.value.status !== 'pending') return;
  const actor = { kind: 'agent', agent_id: agentId } as const;
  const bead = read.value.work_item?.bead_id ?? null;
  const options = { waitMs: eventLockWaitMs };
  await changeHook(store, agentId, { op: 'activate' }, actor, now, options);
  if (bead === null) return;
  await store.beads.update(
    bead,
    (one) => (one?.status === 'hooked' ? { ...one, status: 'in_progress' } : null),
    options,
  );
  const message = `${agentId} began ${bead}`;
  store.journal.append({
    at: toIso(now),
    kind: 'hook.active',
    by: agentId,
    agent_id: agentId,
    bead_id: bead,
    message,
  });
}

/** The bead that must be run; null when the hook is empty, completed, unreadable, or a gate is open (decision 11). */
function beadToRun(store: EventStore, agentId: string): string | null {
  const read = store.hooks.read(agentId);
  const hook: Hook | null = read.kind === 'ok' ? read.value : null;
  const bead = hook?.work_item?.bead_id ?? null;
  if (bead === null || (hook?.status !== 'pending' && hook?.status !== 'active')) return null;
  const isGated = [agentId, bead, 'town'].some((target) => store.gates.read(target).kind !== 'absent');
  return isGated ? null : bead;
}

/** Null when it failed; the failure is counted and nothing else is lost. */
async function contained<T>(trouble: Work['trouble'], what: string, work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    trouble(`${what}: ${errorText(error)}`);
    return null;
  }
}
