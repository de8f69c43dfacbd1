/** The screens beside the table: beads, mail, events, metrics, gate, approvals, handlers, help. Each fills the lines it is given. */

import { agentStates } from '../../domain/status.ts';
import { parseTime } from '../../domain/time.ts';
import { allActions } from '../actions.ts';
import { orderBeads } from '../state/bead-order.ts';
import { type GateRow, gateRows } from '../state/gate-actions.ts';
import type { ScreenName } from '../state/ui-state.ts';
import { type Line, part } from '../text/line.ts';
import { rowText, toWidth, wrapLines } from '../text/width.ts';
import { type Drawing, rule } from './drawing.ts';
import { eventLine } from './events.ts';
import { keyLabel } from './footer.ts';
import { approvalsScreen, handlersScreen } from './handlers.ts';
import { treePath } from './header.ts';
import { list, type ScreenLines } from './list.ts';
import { learningScreen, metricsTable } from './measures.ts';
import { beadTones, stateTones } from './tones.ts';

export function screenLines(drawing: Drawing, screen: ScreenName, height: number, before: number): ScreenLines {
  switch (screen) {
    case 'beads':
      return beadsScreen(drawing, height, before);
    case 'mail':
      return mailScreen(drawing, height, before);
    case 'events':
      return eventsScreen(drawing, height, before);
    case 'metrics':
      return textScreen(drawing, 'Metrics', [...metricsTable(drawing), [], ...metricsText(drawing)], height, before);
    case 'learning':
      return learningScreen(drawing, height, before);
    case 'approvals':
      return approvalsScreen(drawing, height, before);
    case 'handlers':
      return handlersScreen(drawing, height, before);
    case 'gate':
      return gateScreen(drawing, height, before);
    default:
      return textScreen(drawing, 'Keys', helpText(drawing), height, before);
  }
}

function beadsScreen(drawing: Drawing, height: number, before: number): ScreenLines {
  const { glyphs } = drawing.look;
  const beads = orderBeads(drawing.view.beads);
  return list(
    drawing,
    'Beads',
    beads,
    (bead, isSelected) => [
      part(isSelected ? `${glyphs.cursor} ` : '  ', 'accent'),
      part(`${toWidth(bead.bead_id, 9, glyphs.ellipsis)} `, 'dim'),
      part(`${bead.priority} `, bead.priority === 'P1' ? 'wait' : 'dim'),
      part(`${toWidth(bead.status, 11, glyphs.ellipsis)} `, beadTones[bead.status]),
      part(rowText(bead.title), isSelected ? 'title' : 'plain'),
      part(bead.assignee === null ? '' : `  ${bead.assignee}`, 'dim'),
      part(bead.status === 'open' && bead.needs.length > 0 ? `  needs ${bead.needs.join(', ')}` : '', 'dim'),
    ],
    'No beads yet. s on the table slings a new one; gastown bead import takes a list.',
    height,
    before,
  );
}

function mailScreen(drawing: Drawing, height: number, before: number): ScreenLines {
  const { ui, look, ages } = drawing;
  const open = ui.mail?.find(({ id }) => id === ui.openMail);
  const cursorLines = open === undefined ? 0 : Math.floor(height / 2);
  const result = list(
    drawing,
    'Mail',
    ui.mail ?? [],
    (mail, isSelected) => [
      part(isSelected ? `${look.glyphs.cursor} ` : '  ', 'accent'),
      part(mail.read ? '  ' : `${look.glyphs.mail} `, 'wait'),
      part(`${toWidth(ages.of(parseTime(mail.timestamp)), 4, '')} `, 'dim'),
      part(`${toWidth(rowText(mail.from), 16, look.glyphs.ellipsis)} `, mail.priority === 'urgent' ? 'alarm' : 'plain'),
      part(rowText(mail.subject), isSelected ? 'title' : mail.read ? 'dim' : 'plain'),
    ],
    ui.mail === null ? 'reading the mail' : 'No mail.',
    height - cursorLines,
    before,
  );
  if (open === undefined) return result;
  const body = open.body.split(/\r?\n/).flatMap((text) => {
    const wrapped = wrapLines(rowText(text), drawing.width - 4, 200, look.glyphs.ellipsis);
    return wrapped.length === 0 ? [''] : wrapped;
  });
  const lines: Line[] = [
    rule(drawing, [part(rowText(open.subject), 'strong')], `from ${rowText(open.from)}`),
    ...body.map((text): Line => [part(`  ${text}`)]),
  ];
  return { ...result, lines: [...result.lines, ...lines.slice(0, cursorLines)] };
}

/** Newest first: that is what one opens the list for. */
function eventsScreen(drawing: Drawing, height: number, before: number): ScreenLines {
  const entries = [...drawing.view.journal].reverse();
  const line = (entry: (typeof entries)[number], isSelected: boolean): Line => eventLine(entry, drawing, isSelected);
  return list(drawing, 'Events, newest first', entries, line, 'Nothing has happened yet.', height, before);
}

/** Lines to read, moved by the same keys as a list. */
function textScreen(drawing: Drawing, title: string, all: Line[], height: number, before: number): ScreenLines {
  const room = Math.max(0, height - 1);
  const wanted = drawing.ui.cursors[drawing.ui.screen] ?? before;
  const top = Math.max(0, Math.min(wanted, all.length - room));
  const below = Math.max(0, all.length - top - room);
  const lines = [
    rule(drawing, [part(title, 'strong')], below > 0 ? `+${below} more` : ''),
    ...all.slice(top, top + room),
  ];
  return { lines: lines.slice(0, Math.max(0, height)), top };
}

function metricsText(drawing: Drawing): Line[] {
  const { view } = drawing;
  const bar = drawing.look.glyphs.bars.at(-1) ?? '#';
  const room = Math.max(0, Math.min(40, drawing.width - 30));
  const row = (label: string, value: number, of: number, tone: Parameters<typeof part>[1]): Line => [
    part(`  ${toWidth(label, 14, '')}`, 'dim'),
    part(`${String(value).padStart(5)}  `),
    part(bar.repeat(of === 0 || value === 0 ? 0 : Math.max(1, Math.round((room * value) / of))), tone),
  ];
  const heading = (text: string): Line => [part(` ${text}`, 'strong')];
  const states = agentStates
    .map((state) => ({ state, count: view.agents.filter((agent) => agent.state === state).length }))
    .filter(({ count }) => count > 0);
  const works = Object.entries(view.work).filter(([, count]) => count > 0);
  const works_total = works.reduce((sum, [, count]) => sum + count, 0);
  const deliveries = countDeliveries(drawing);
  const total = deliveries.reduce((sum, [, count]) => sum + count, 0);
  const sum = (key: 'nudges' | 'restarts'): number => view.agents.reduce((all, agent) => all + agent[key], 0);
  return [
    heading(`Agents: ${view.agents.length}`),
    ...states.map(({ state, count }) => row(state, count, view.agents.length, stateTones[state])),
    [],
    heading(`Beads: ${works_total}`),
    ...works.map(([status, count]) => row(status, count, works_total, beadTones[status as keyof typeof beadTones])),
    [],
    heading(`Deliveries in the last ${view.journal.length} events: ${total}`),
    ...deliveries.map(([kind, count]) => row(kind, count, total, kind === 'verified' ? 'good' : 'wait')),
    [],
    heading('On current beads'),
    row('nudges', sum('nudges'), 0, 'plain'),
    row('restarts', sum('restarts'), 0, 'plain'),
  ];
}

function countDeliveries({ view }: Drawing): [string, number][] {
  const counts = new Map<string, number>();
  for (const { kind, message } of view.journal) {
    const result = kind.startsWith('delivery') ? /verified|unverified|queued|failed/.exec(`${kind} ${message}`) : null;
    if (result !== null) counts.set(result[0], (counts.get(result[0]) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => (a < b ? 1 : -1));
}

/** Which trees are armed and for how long, who wishes to dissolve, and nothing of what the gate asks for. */
function gateScreen(drawing: Drawing, height: number, before: number): ScreenLines {
  const { view, look } = drawing;
  const rows = gateRows(view);
  const explanation = wrapLines(
    'An armed gate holds a handoff that nobody has dissolved yet. Enter reads it; read to its last line it can be ' +
      'acknowledged and then dissolved. The gate stops the accident, not an adversary: it shows that the file was ' +
      'opened, not that it was understood.',
    drawing.width - 4,
    6,
    look.glyphs.ellipsis,
  );
  const listHeight = Math.min(height, rows.length + 2);
  const room = height - listHeight - 1;
  const shown = list(
    drawing,
    'Handoff gate',
    rows,
    (row, isSelected) => gateLine(row, isSelected, drawing),
    'No tree holds a handoff.',
    listHeight,
    before,
  );
  const below: Line[] =
    room < explanation.length ? [] : [[], ...explanation.map((text): Line => [part(`  ${text}`, 'dim')])];
  return { ...shown, lines: [...shown.lines, ...below] };
}

/** A line of the gate's list; in lines without signs it is read aloud as it is. */
export function gateLine(row: GateRow, isSelected: boolean, { view, look, ages, seenAt }: Drawing): Line {
  const cursor = part(isSelected ? `${look.glyphs.cursor} ` : '  ', 'accent');
  if (row.kind === 'request') {
    const { agent_id, at, why } = row.request;
    const what = why === 'attempts' ? 'gave too many wrong values' : 'waits for your acknowledgement';
    return [
      cursor,
      part(`${look.glyphs.states.asking} ${agent_id} asked ${ages.of(parseTime(at))} ago to dissolve  `, 'wait'),
      part(treePath(view, row.tree)),
      part(`  ${what}`, 'dim'),
    ];
  }
  const since = row.age_s === null ? null : seenAt(view.handoffs) - row.age_s * 1000;
  const age = row.armed && since !== null ? ` for ${ages.of(since)}` : '';
  return [
    cursor,
    part(`${row.armed ? look.glyphs.armed : ' '} `, 'wait'),
    part(`${row.armed ? 'armed' : 'open '}${age}  `, row.armed ? 'wait' : 'dim'),
    part(treePath(view, row.tree)),
  ];
}

function helpText(drawing: Drawing): Line[] {
  const { glyphs } = drawing.look;
  const groups = {
    move: 'Move',
    agent: 'Agents',
    look: 'Look',
    town: 'Town',
    list: 'Beads, mail, gate and approvals screens',
  } as const;
  return Object.entries(groups).flatMap(([group, title]) => [
    [part(` ${title}`, 'strong')] as Line,
    ...allActions
      .filter((action) => action.group === group)
      .flatMap((action): Line[] => {
        const keys = action.keys.map((key) => keyLabel(key, glyphs.enter)).join(' ') || `: ${action.name}`;
        const label = toWidth(keys, Math.max(10, displayColumns(keys)), glyphs.ellipsis);
        const texts = wrapLines(action.does, Math.max(10, drawing.width - 14 - Math.max(0, label.length - 10)), 3, '');
        return texts.map((text, index) => [
          part(`  ${index === 0 ? label : ' '.repeat(label.length)}  `, 'accent'),
          part(text),
        ]);
      }),
    [],
  ]);
}

const displayColumns = (text: string): number => Math.min(18, text.length);
