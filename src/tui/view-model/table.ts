/** The hook and heartbeat table: only visible rows are made, and a row is made again only when something in it changed. */
import type { AgentView } from '../../domain/view.ts';
import { type Line, paint, part } from '../text/line.ts';
import { toWidth } from '../text/width.ts';
import { cellOf, lastReceipt } from './cells.ts';
import { type Column, planColumns } from './columns.ts';
import { type Drawing, windowTop } from './drawing.ts';
import { stateTones } from './tones.ts';

export interface Table {
  lines: string[];
  top: number;
}

/** `height` lines, the heading among them when `withHeading`; what is not shown is told as `+N more`. */
export function drawTable(drawing: Drawing, height: number, withHeading: boolean, before: number): Table {
  const { rows, ui, look, width } = drawing;
  const columns = planColumns(drawing.view, width);
  const heading = withHeading ? [paint(headingLine(columns, look.glyphs.ellipsis), width, look.colour, '')] : [];
  const room = Math.max(0, height - heading.length);
  const isWindowed = rows.length > room && room > 1;
  const shown = isWindowed ? room - 1 : room;
  const index = rows.findIndex((agent) => agent.agent_id === ui.selected);
  const top = windowTop(before, Math.max(0, index), shown, rows.length);
  const lines = rows.slice(top, top + shown).map((agent) => rowOf(agent, columns, drawing));
  if (rows.length === 0 && room > 0) lines.push(emptyLine(drawing));
  if (isWindowed) lines.push(moreLine(drawing, rows.length - top - shown, top));
  return { lines: [...heading, ...lines], top };
}

const headingLine = (columns: readonly Column[], ellipsis: string): Line => [
  part(`    ${columns.map((column) => toWidth(column.title, column.width, ellipsis, column.align)).join(' ')}`, 'dim'),
];

function moreLine({ look, width }: Drawing, below: number, above: number): string {
  const parts = [below > 0 ? `+${below} more` : '', above > 0 ? `+${above} above` : ''].filter(Boolean);
  return paint([part(`    ${parts.join(', ')}`, 'dim')], width, look.colour, look.glyphs.ellipsis);
}

function emptyLine({ view, ui, look, width }: Drawing): string {
  const text =
    view.agents.length === 0
      ? 'No agents. Add some to gastown.yaml, or start with: gastown up --demo'
      : `No agent matches “${ui.filter}”. esc clears the filter.`;
  return paint([part(`    ${text}`, 'dim')], width, look.colour, look.glyphs.ellipsis);
}

/** Painted rows by agent view; the key holds everything else that a row depends on. */
const painted = new WeakMap<AgentView, { key: string; columns: readonly Column[]; line: string }>();

function rowOf(agent: AgentView, columns: readonly Column[], drawing: Drawing): string {
  const { ui, ages, look } = drawing;
  const id = agent.agent_id;
  const receipt = lastReceipt(agent, drawing);
  const key = [
    id === ui.selected,
    ui.marks.has(id),
    ages.of(agent.activity_at),
    ui.running.get(id),
    receipt?.at,
    look.colour,
    look.ascii,
  ].join('|');
  const known = painted.get(agent);
  if (known?.key === key && known.columns === columns) return known.line;
  const line = paint(rowLine(agent, columns, drawing), drawing.width, look.colour, look.glyphs.ellipsis);
  painted.set(agent, { key, columns, line });
  return line;
}

function rowLine(agent: AgentView, columns: readonly Column[], drawing: Drawing): Line {
  const { glyphs } = drawing.look;
  const { ui } = drawing;
  return [
    part(agent.agent_id === ui.selected ? glyphs.cursor : ' ', 'accent'),
    part(ui.marks.has(agent.agent_id) ? glyphs.mark : ' ', 'accent'),
    part(`${glyphs.states[agent.state]} `, stateTones[agent.state]),
    ...columns.flatMap((column, index) => {
      const { text, tone } = cellOf(agent, column, drawing);
      const fitted = toWidth(text, column.width, glyphs.ellipsis, column.align);
      return index === 0 ? [part(fitted, tone)] : [part(' '), part(fitted, tone)];
    }),
  ];
}
