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
  if (tool) add('event', tool.word || 'tool', tool.at);
  if (event && (event.word !== tool?.word || event.at !== tool.at)) add('event', event.word || 'event', event.at);
  if (facts.session) add('event', facts.session.status, parseTime(facts.session.updated_at));
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

function probeText({ probe }: StateFacts): string {
  if (probe.answer === 'unknown') return `cannot tell: ${probe.why}`;
  if (probe.answer === 'no') return 'no pane';
  if (!probe.dead) return probe.command === '' ? 'runs' : `${probe.command} runs`;
  return probe.exit === null ? 'ended' : `ended, exit ${probe.exit}`;
}
