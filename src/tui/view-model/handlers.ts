/** Handlers of events in the control pane: the queue of approvals, the list of all, and what they know of an agent. */
import type { HandlerView } from '../../domain/handlers/view.ts';
import { parseTime } from '../../domain/time.ts';
import type { AgentView } from '../../domain/view.ts';
import { selectedApproval } from '../state/approval-actions.ts';
import { type Line, type Part, part } from '../text/line.ts';
import { rowText, toWidth, wrapLines } from '../text/width.ts';
import { type Drawing, rule } from './drawing.ts';
import { list, type ScreenLines } from './list.ts';

export function approvalsScreen(drawing: Drawing, height: number, before: number): ScreenLines {
  const { view, look, width, ages } = drawing;
  const chosen = selectedApproval(drawing);
  const below = chosen === null ? [] : wrapLines(rowText(chosen.what), width - 4, 8, look.glyphs.ellipsis);
  const room = Math.min(below.length === 0 ? 0 : below.length + 1, Math.max(0, height - 4));
  const shown = list(
    drawing,
    'Approvals',
    view.approvals,
    (request, isSelected) => [
      part(isSelected ? `${look.glyphs.cursor} ` : '  ', 'accent'),
      part(`${look.glyphs.states.asking} `, 'wait'),
      part(`${toWidth(rowText(request.agent_id), 18, look.glyphs.ellipsis)} `, isSelected ? 'title' : 'plain'),
      part(`${toWidth(rowText(request.tool), 10, look.glyphs.ellipsis)} `, 'wait'),
      part(`${toWidth(ages.of(parseTime(request.at)), 4, '')} `, 'dim'),
      part(rowText(request.what)),
    ],
    'Nothing waits here. A tool that needs permission shows up for a few seconds, then its runtime asks in its own pane.',
    height - room,
    before,
  );
  const lines: Line[] = [
    rule(drawing, [part(chosen?.tool ?? '', 'strong')], ''),
    ...below.map((text): Line => [part(`  ${text}`)]),
  ];
  return { ...shown, lines: room === 0 ? shown.lines : [...shown.lines, ...lines.slice(0, room)] };
}

export function handlersScreen(drawing: Drawing, height: number, before: number): ScreenLines {
  const { view, look } = drawing;
  const chosen = view.handlers[Math.min(view.handlers.length - 1, drawing.ui.cursors.handlers ?? 0)];
  const about = chosen === undefined ? [] : aboutLines(chosen, drawing);
  const room = Math.min(about.length, Math.floor(height / 2));
  const shown = list(
    drawing,
    'Event handlers',
    view.handlers,
    (handler, isSelected) => [
      part(isSelected ? `${look.glyphs.cursor} ` : '  ', 'accent'),
      part(
        handler.enabled ? `${look.glyphs.states.working} ` : `${look.glyphs.states.stopped} `,
        handler.enabled ? 'good' : 'dim',
      ),
      part(`${toWidth(rowText(handler.name), 26, look.glyphs.ellipsis)} `, isSelected ? 'title' : 'plain'),
      part(`${toWidth(handler.group, 12, look.glyphs.ellipsis)} `, 'dim'),
      part(rowText(handler.does), handler.enabled ? 'plain' : 'dim'),
    ],
    'No handlers.',
    height - room,
    before,
  );
  return { ...shown, lines: [...shown.lines, ...about.slice(0, room)] };
}

function aboutLines({ name, does, events, runtimes, roles, relies }: HandlerView, drawing: Drawing): Line[] {
  const { width, look } = drawing;
  const text = (words: string): Line[] =>
    wrapLines(rowText(words), width - 4, 6, look.glyphs.ellipsis).map((line): Line => [part(`  ${line}`)]);
  const fact = (label: string, words: string): Line => [part(`  ${label.padEnd(10)}`, 'dim'), part(rowText(words))];
  return [
    rule(drawing, [part(name, 'strong')], ''),
    ...text(does),
    fact('events', events.length === 0 ? 'none: the town does it' : events.join(' ')),
    fact('runtimes', runtimes.join(' ')),
    fact('on for', roles.length === 0 ? 'nobody' : roles.join(' ')),
    ...Object.entries(relies).map(([runtime, words]) => fact(runtime, words)),
  ];
}

/** A gauge of the context window, and what only a human can help with; null where nothing is known. */
export function contextParts({ insight }: AgentView, { look }: Drawing): Part[] | null {
  const { context, advice } = insight;
  const parts: Part[] = [];
  if (context !== null) {
    const cells = Math.max(0, Math.min(20, Math.round(context / 5)));
    const full = look.glyphs.bars.at(-1) ?? '#';
    const tone = context >= 90 ? 'alarm' : context >= 75 ? 'wait' : 'good';
    parts.push(
      part(full.repeat(cells), tone),
      part(look.glyphs.dot.repeat(20 - cells), 'dim'),
      part(` ${context} % full`, tone),
    );
  }
  if (advice !== null) parts.push(part(parts.length === 0 ? '' : '  '), part(rowText(advice), 'alarm'));
  return parts.length === 0 ? null : parts;
}

/** One line each: parents before their children, what it was asked, how long, how it ended. */
export function subagentLines(agent: AgentView, drawing: Drawing, limit: number): Part[][] {
  const { subagents } = agent.insight;
  const lines = subagents.map(({ type, task, depth, started_at, outcome }): Part[] => [
    part(
      `${'  '.repeat(depth)}${outcome === null ? drawing.look.glyphs.running : drawing.look.glyphs.verified} `,
      outcome === null ? 'accent' : 'dim',
    ),
    part(`${rowText(type) || 'subagent'} `, outcome === null ? 'plain' : 'dim'),
    part(rowText(task), 'dim'),
    part(outcome === null ? `  ${drawing.ages.of(parseTime(started_at))}` : `  ${outcome}`, 'dim'),
  ]);
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, Math.max(0, limit - 1)), [part(`+${lines.length - limit + 1} more`, 'dim')]];
}

/** `2 subagents, context 83 %`: short enough for a row; empty where there is nothing to say. */
export function insightInRow({ insight }: AgentView): string {
  const running = insight.subagents.filter(({ outcome }) => outcome === null).length;
  return [
    running === 0 ? '' : `${running} subagent${running === 1 ? '' : 's'}`,
    insight.context !== null && insight.context >= 75 ? `context ${insight.context} %` : '',
    insight.advice === null ? '' : 'conversation broken',
  ]
    .filter(Boolean)
    .join(', ');
}
