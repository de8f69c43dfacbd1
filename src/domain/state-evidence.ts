/** The evidence for a state, strongest first: events, the agent's own `gt` calls, the process, the screen (DESIGN section 7). */
import type { StateFacts } from './state-picture.ts';
import type { Evidence } from './status.ts';
import { parseTime } from './time.ts';

/** `believe` gives back a time, or null for one that lies in the future. */
export function evidenceOf(facts: StateFacts, believe: (ms: number | null) => number | null, now: number): Evidence[] {
  const evidence: Evidence[] = [];
  const add = (source: Evidence['source'], text: string, at: number | null): void => {
    const known = believe(at);
    evidence.push({ source, text, age_s: known === null ? null : Math.floor((now - known) / 1000) });
  };
  const { tool, event } = facts.heartbeat;
  const running = facts.openTools.at(-1);
  if (running !== undefined && facts.probe.answer === 'yes' && !facts.probe.dead) {
    add('event', `runs ${running}`, facts.toolSince ?? null);
  }
  if (tool) add('event', tool.word || 'tool', tool.at);
  if (event && (event.word !== tool?.word || event.at !== tool.at)) add('event', event.word || 'event', event.at);
  if (facts.session) {
    const { status, updated_at, subagents = [], subagent_question: question } = facts.session;
    add('event', status, parseTime(updated_at));
    if (question) add('event', `a subagent asks: ${question.note}`, parseTime(question.at));
    if (subagents.length > 0)
      add('event', subagents.length === 1 ? '1 subagent runs' : `${subagents.length} subagents run`, null);
  }
  const silent = silenceOf(facts, now);
  if (silent !== null) add('event', `no event since its start: ${silent.cause}`, silent.since);
  for (const [name, fact] of [
    ['hook', facts.hook],
    ['agent record', facts.agent],
  ] as const) {
    if (fact.kind === 'corrupt' || fact.kind === 'unreadable') add('file', `${name} ${fact.kind}`, null);
  }
  if (facts.hook.kind === 'ok') add('gt', `hook ${facts.hook.value.status}`, parseTime(facts.hook.value.last_activity));
  add('process', probeText(facts), null);
  if (facts.screen) add('screen', facts.screen.kind, null);
  return evidence;
}

/** Since when, in ms, an agent whose runtime should tell its events has told none, and the likely cause; else null. */
export function silenceOf(
  { agent, spawnMs, silentCause, probe }: StateFacts,
  now: number,
): { since: number; cause: string } | null {
  if (!silentCause || agent.kind !== 'ok' || agent.value.first_event_at !== null || probe.answer !== 'yes') return null;
  const since = parseTime(agent.value.started_at);
  return since !== null && !probe.dead && now - since > spawnMs ? { since, cause: silentCause } : null;
}

function probeText({ probe }: StateFacts): string {
  if (probe.answer === 'unknown') return `cannot tell: ${probe.why}`;
  if (probe.answer === 'no') return 'no pane';
  if (!probe.dead) return probe.command === '' ? 'runs' : `${probe.command} runs`;
  return probe.exit === null ? 'ended' : `ended, exit ${probe.exit}`;
}
