/** The journal as lines: when, whom, what. */
import type { JournalEntry } from '../../domain/records.ts';
import { parseTime } from '../../domain/time.ts';
import { type Line, part, type Tone } from '../text/line.ts';
import { rowText, toWidth } from '../text/width.ts';
import type { Drawing } from './drawing.ts';

const kindWidth = 17;

/** Local time of day; it never changes, so an old line is never drawn again. */
function timeOfDay(at: string): string {
  const ms = parseTime(at);
  if (ms === null) return '--:--:--';
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

function kindTone(kind: string): Tone {
  if (/fail|dead|crash|escalat|corrupt|gone/.test(kind)) return 'alarm';
  if (/stall|limit|queued|nudge|restart|conflict/.test(kind)) return 'wait';
  return /complete|done|verified|merged/.test(kind) ? 'good' : 'plain';
}

const lines = new WeakMap<JournalEntry, { key: string; line: Line }>();

export function eventLine(entry: JournalEntry, drawing: Drawing, isSelected = false): Line {
  const { glyphs, ascii } = drawing.look;
  const key = `${drawing.width} ${ascii} ${isSelected}`;
  const known = lines.get(entry);
  if (known?.key === key) return known.line;
  const isWide = drawing.width >= 72;
  const time = isWide ? timeOfDay(entry.at) : timeOfDay(entry.at).slice(0, 5);
  const kind = toWidth(rowText(entry.kind), drawing.width >= 90 ? kindWidth : 14, glyphs.ellipsis);
  const line: Line = [
    part(isSelected ? glyphs.cursor : ' ', 'accent'),
    part(`${time} `, 'dim'),
    part(`${kind} `, kindTone(entry.kind)),
    ...messageParts(entry),
  ];
  lines.set(entry, { key, line });
  return line;
}

/** The message with its agent set off; ids that it does not name come before it. */
function messageParts({ agent_id, bead_id, by, message }: JournalEntry): Line {
  const text = rowText(message);
  const agent = agent_id ?? (by === 'deacon' ? by : '');
  const bead = bead_id === undefined || text.includes(bead_id) ? '' : `${bead_id} `;
  const at = agent === '' ? -1 : text.indexOf(agent);
  if (at === -1) return [part(agent === '' ? '' : `${agent} `, 'strong'), part(bead, 'dim'), part(text)];
  return [part(bead, 'dim'), part(text.slice(0, at)), part(agent, 'strong'), part(text.slice(at + agent.length))];
}

/** The newest events, the last one lowest. */
export const tailLines = (drawing: Drawing, height: number): Line[] =>
  height <= 0 ? [] : drawing.view.journal.slice(-height).map((entry) => eventLine(entry, drawing));
