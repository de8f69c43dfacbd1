/**
 * Freshness (seed 003): the state a session declares, kept true by its own events. Pure: `nextSession` says what an
 * event makes of the record, `declare` what the agent's own word does. One writer carries both out under a lock.
 */
import type { RuntimeEvent } from './event.ts';
import { aboutCall } from './handlers/tools.ts';
import { storedText } from './prose.ts';
import type { SessionRecord } from './records.ts';
import { cleanLine } from './text.ts';
import { toIso } from './time.ts';
import { limitOf } from './usage-limit.ts';

/** What the writer must know beside the event. */
export interface StopFacts {
  /** Work is on the hook (pending or active): a stop must be declared. */
  work: boolean;
  /** This stop is being answered with a block, so the turn goes on: by the stop gate, or by a handler of its own. */
  blockedBy: 'gate' | 'handler' | null;
}

export const noStopFacts: StopFacts = { work: false, blockedBy: null };

/**
 * The record after `event`, or null when nothing changes (then nothing is written). An ungoverned record and one that
 * does not exist are never touched.
 */
export function nextSession(
  record: SessionRecord | null,
  event: RuntimeEvent,
  now: number,
  stop: StopFacts = noStopFacts,
): SessionRecord | null {
  if (record === null || !record.governed) return null;
  const changes =
    event.subagent === null
      ? { ...ofSession(record, event, now, stop), ...ofLimit(record, event, now) }
      : ofSubagent(record, event, now);
  return changed(record, changes, event.name, now);
}

type Changes = Partial<SessionRecord>;

/** A subagent that works is its parent supervising: life, but never a flip of the declared state. */
function ofSubagent(record: SessionRecord, event: RuntimeEvent, now: number): Changes {
  const running = record.subagents ?? [];
  const id = event.subagent ?? '';
  switch (event.kind) {
    case 'subagent_start':
      return running.includes(id) ? {} : { subagents: [...running, id] };
    case 'subagent_end':
      return running.includes(id)
        ? subagentEnd(
            record,
            running.filter((other) => other !== id),
          )
        : {};
    case 'tool_start': {
      if (event.tool?.question == null || record.subagent_question?.tool_use_id === event.tool.id) return {};
      return { subagent_question: { note: event.tool.question, tool_use_id: event.tool.id, at: toIso(now) } };
    }
    case 'tool_end':
      return record.subagent_question?.tool_use_id === event.tool?.id ? { subagent_question: null } : {};
    default:
      return {};
  }
}

/** The last one's end is the end of a turn that had stopped before it: Codex tells its parent nothing more. */
function subagentEnd(record: SessionRecord, subagents: string[]): Changes {
  const rests = subagents.length === 0 && record.stopped_at && record.status === 'active';
  return { subagents, ...(rests ? { ...idle, stopped_at: null } : {}) };
}

/** A limit ends a turn; the next prompt or tool shows that it is over, or tries. */
function ofLimit(record: SessionRecord, event: RuntimeEvent, now: number): Changes {
  const told = limitOf(event, now);
  if (told !== null) {
    return { limit: { at: toIso(now), until: told.until === null ? null : toIso(told.until), line: told.line } };
  }
  return record.limit && (event.kind === 'prompt' || event.kind === 'tool_start') ? { limit: null } : {};
}

function ofSession(record: SessionRecord, event: RuntimeEvent, now: number, stop: StopFacts): Changes {
  switch (event.kind) {
    case 'prompt':
      return {
        ...active,
        ...atRest,
        ended_at: null,
        stop_asked_at: isGateText(event.prompt) ? (record.stop_asked_at ?? null) : null,
      };
    case 'tool_start':
      return toolStart(record, event);
    case 'tool_end':
      return { permission: null, ...(endsAsking(record, event.tool?.id) ? active : {}) };
    case 'batch_end':
      return { permission: null, ...(event.ended.some((id) => endsAsking(record, id)) ? active : {}) };
    case 'permission':
      // The question tool raises one of its own; the question says more.
      if (asksByTool(record) || event.tool?.question != null) return {};
      return record.permission ? {} : { permission: { ...askedFor(event), at: toIso(now) } };
    case 'stop':
      return atStop(record, event, now, stop);
    case 'interrupt':
      return { ...atRest, ...(record.status === 'active' || asksByTool(record) ? idle : {}) };
    case 'waiting':
      return record.status === 'active' && (record.subagents ?? []).length === 0 ? idle : {};
    case 'turn_failed':
      // Inferred: it may replace `active` and nothing that was declared.
      if (record.status !== 'active') return atRest;
      return { ...atRest, status: 'error', note: storedText(event.text ?? ''), proposal: null, tool_use_id: null };
    case 'session_start':
      // A resumed session rests until it works again; declarations stand. A compaction happens within a turn.
      if (event.source === 'compact') return { ended_at: null };
      return { ...atRest, subagents: [], ended_at: null, ...(record.status === 'active' ? idle : {}) };
    case 'session_end':
      return {
        ...atRest,
        subagents: [],
        ended_at: record.ended_at ?? toIso(now),
        ...(record.status === 'active' ? idle : {}),
      };
    default:
      return {};
  }
}

const active = { status: 'active', note: null, proposal: null, tool_use_id: null } as const;
const idle = { status: 'idle', note: null, proposal: null, tool_use_id: null } as const;
const whatChars = 200;

function askedFor({ tool }: RuntimeEvent): { tool: string; what?: string } {
  if (tool === null) return { tool: 'a tool' };
  const what = tool.input === null ? '' : storedText(aboutCall(tool)).slice(0, whatChars);
  return { tool: tool.name, ...(what === '' ? {} : { what }) };
}

/** No turn runs: nobody waits for a permission or for an answer to a subagent. */
const atRest = { permission: null, subagent_question: null, stopped_at: null } as const;

const asksByTool = (record: SessionRecord): boolean => record.status === 'asking' && record.tool_use_id !== null;
const endsAsking = (record: SessionRecord, id: string | undefined): boolean =>
  asksByTool(record) && record.tool_use_id === id;

function toolStart(record: SessionRecord, event: RuntimeEvent): Changes {
  if (event.tool?.question != null) {
    return { status: 'asking', note: event.tool.question, proposal: null, tool_use_id: event.tool.id };
  }
  // A sibling in the same answer runs beside the question: only the question's own end, a prompt or a stop ends it.
  return asksByTool(record) ? {} : active;
}

/**
 * A stop ends the question tool's asking and nothing that was declared. Undeclared with work on the hook it is asked
 * for a declaration once, then it counts as asking: nobody may stand still unseen.
 */
function atStop(record: SessionRecord, event: RuntimeEvent, now: number, stop: StopFacts): Changes {
  const running = event.running === null ? {} : { subagents: [...event.running] };
  const rest = { ...atRest, ...running };
  if (record.status !== 'active' && !asksByTool(record)) return rest;
  if (stop.blockedBy === 'handler') return { ...rest, ...active };
  if (stop.blockedBy === 'gate') return { ...rest, ...active, stop_asked_at: toIso(now) };
  if ((event.running ?? record.subagents ?? []).length > 0) {
    return { ...rest, ...active, stopped_at: record.stopped_at ?? toIso(now) };
  }
  if (stop.work && record.stop_asked_at) {
    return { ...rest, status: 'asking', note: stoppedNote(event.text), proposal: null, tool_use_id: null };
  }
  return { ...rest, ...idle };
}

const stoppedNote = (lastWords: string | null): string => {
  const words = Array.from(cleanLine(lastWords ?? ''));
  const said = words.length > 300 ? `${words.slice(0, 299).join('')}…` : words.join('');
  return said === '' ? 'stopped without saying why' : `stopped without saying why; last words: ${said}`;
};

/**
 * Whether this stop must be answered with a request for a declaration: work on the hook, nothing declared, no subagent
 * still running, and not asked before in this turn.
 */
export function needsDeclaration(record: SessionRecord | null, event: RuntimeEvent, work: boolean): boolean {
  if (record === null || !record.governed || !work) return false;
  if (event.kind !== 'stop' || event.subagent !== null || record.stop_asked_at) return false;
  if (record.status !== 'active' && !asksByTool(record)) return false;
  return (event.running ?? record.subagents ?? []).length === 0;
}

const gateMark = '[gastown: stop not declared]';

/** What the stop gate says to the agent. Some runtimes hand it back as a prompt, so it can be told from a human's. */
export const gateText = (gt: string, bead: string): string =>
  [
    `${gateMark} You stopped while ${bead} is on your hook. Go on with it now, or declare why you stop, as the last call of your turn:`,
    `${gt} done (finished) · ${gt} ask "question" (a human must decide) · ${gt} park "what you wait for" · ${gt} propose "ready to merge"`,
  ].join('\n');

const isGateText = (prompt: string | null): boolean => prompt?.includes(gateMark) ?? false;

/** The agent's own word: `gt park`, `gt ask`, `gt propose`, `gt idle`. */
export type Declaration =
  | { kind: 'park'; note: string | null }
  | { kind: 'ask'; note: string }
  | { kind: 'propose'; proposal: string; note: string | null }
  | { kind: 'idle'; note: string | null };

const declaredStatus = { park: 'parked', ask: 'asking', propose: 'awaiting', idle: 'idle' } as const;

/**
 * The record after a declaration. It is made through a tool, so it lands after that tool's flip and wins; the session's
 * next tool or prompt ends it.
 */
export function declare(record: SessionRecord, declaration: Declaration, now: number): SessionRecord {
  const note = declaration.note === null ? null : storedText(declaration.note);
  const proposal = declaration.kind === 'propose' ? storedText(declaration.proposal) : null;
  const changes = { status: declaredStatus[declaration.kind], note, proposal, tool_use_id: null };
  return changed(record, changes, `gt ${declaration.kind}`, now) ?? record;
}

/** The record of a session that begins; it rests until its first prompt or tool. */
export function newSession(id: string, agentId: string, governed: boolean, now: number): SessionRecord {
  return {
    session_id: id,
    agent_id: agentId,
    governed,
    ...idle,
    updated_at: toIso(now),
    source: 'SessionStart',
  };
}

/** Declared by the agent itself and standing: inferred states never replace it. */
export const isDeclared = (record: SessionRecord): boolean =>
  ['awaiting', 'parked'].includes(record.status) || (record.status === 'asking' && record.tool_use_id === null);

/**
 * Whether an event of a tool could change nothing here, whatever its payload says. Then the event's entry may leave the
 * payload unread (DESIGN section 9).
 */
export const isCleanlyActive = (record: SessionRecord): boolean =>
  record.governed &&
  record.status === 'active' &&
  record.note === null &&
  record.proposal === null &&
  record.tool_use_id === null &&
  !record.permission &&
  !record.subagent_question &&
  !record.limit &&
  !record.ended_at;

const stated = ['status', 'note', 'proposal', 'tool_use_id'] as const;

/** Null when no value differs. `updated_at` and `source` tell of the declared state alone. */
function changed(record: SessionRecord, changes: Changes, source: string, now: number): SessionRecord | null {
  const keys = Object.keys(changes).filter((key) => !same(record[key] ?? null, changes[key] ?? null));
  if (keys.length === 0) return null;
  const next: SessionRecord = { ...record, ...changes };
  return stated.some((key) => keys.includes(key)) ? { ...next, updated_at: toIso(now), source } : next;
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => item === b[at]);
  if (Array.isArray(b) && b.length === 0 && a === null) return true;
  return a === b;
}
