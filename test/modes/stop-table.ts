/** Reads `stop-table.json`: nothing here knows a rule, it only says what is the case and finds the first row that holds. */
import { readFileSync } from 'node:fs';
import type { Candidate, StopDecision, StopInput } from '../../src/domain/mode/stop.ts';

type Facts = Record<string, unknown>;
interface Row {
  if: Facts;
  [key: string]: unknown;
}
interface Table {
  priority: string[];
  limits: { hard_maximum: number; stale_hours: number; turns_without_tool: number; cancel_seconds: number };
  let_go: Row[];
  counts: Row[];
  answer: Row[];
}

const table = JSON.parse(readFileSync(new URL('stop-table.json', import.meta.url), 'utf8')) as Table;
const { limits } = table;
export const tableLimits = limits;

const first = (rows: readonly Row[], facts: Facts): Row | undefined =>
  rows.find((row) => Object.entries(row.if).every(([key, value]) => facts[key] === value));

export function byTable(input: StopInput): StopDecision {
  const since = input.cancelledAt === null ? null : Math.abs(input.now - input.cancelledAt);
  const letGo = first(table.let_go, {
    cause: input.cause,
    cancelled_just_now: since !== null && since < limits.cancel_seconds * 1000,
    reentrant: input.reentrant,
    way: input.way,
    own_work: input.ownWork,
  });
  if (letGo) return { do: 'pass', why: letGo['why'] } as StopDecision;
  const ranked = [...input.modes].sort((a, b) => table.priority.indexOf(a.mode) - table.priority.indexOf(b.mode));
  const heard = ranked.find((mode) => first(table.counts, countFacts(mode, input))?.['then'] === true);
  if (heard === undefined) return { do: 'pass', why: 'no_mode' };
  const row = first(table.answer, {
    wish: heard.wish,
    without_tool: heard.still >= limits.turns_without_tool,
    used_up: heard.iteration >= heard.maxIterations || heard.iteration >= limits.hard_maximum,
  });
  const why = row?.['why'];
  return { do: row?.['do'], mode: heard.mode, ...(why === undefined ? {} : { why }) } as StopDecision;
}

function countFacts(mode: Candidate, { sessionId, now, pane }: StopInput): Facts {
  const age =
    mode.checkedAt === null ? 'unknown' : now - mode.checkedAt > limits.stale_hours * 3_600_000 ? 'old' : 'new';
  return {
    own_session: mode.sessionId === sessionId,
    active: mode.active,
    cancelled: mode.cancelled,
    same_run: mode.sameRun,
    pane,
    age,
  };
}
