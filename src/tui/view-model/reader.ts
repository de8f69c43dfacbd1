/**
 * The handoff reader's screens: the text, the acknowledgement, and the field for the value, each alone. Nothing but the
 * text itself ever shows a number, a digest or a size of it, and the field tells nothing about what is typed.
 */
import { fieldOpensAt } from '../../domain/handoff-reader.ts';
import { treeOf } from '../state/reader.ts';
import { readerKeys } from '../state/reader-keys.ts';
import type { OpenReader } from '../state/ui-state.ts';
import { type Line, lineWidth, type Part, part } from '../text/line.ts';
import { type PageLayout, pageLayout } from '../text/page.ts';
import { displayWidth, rowText, splitGraphemes, wrapLines } from '../text/width.ts';
import { type Drawing, rule } from './drawing.ts';
import { keyLabel } from './footer.ts';
import { headerLines, treePath } from './header.ts';

export interface ReaderPart {
  id: string;
  lines: Line[];
}

export interface ReaderScreen {
  parts: ReaderPart[];
  /** Where text is typed, from the top left of the screen. */
  cursor: { x: number; y: number } | null;
}

/** Fills `rows` − 1 lines, laid out by the size alone. */
export function readerScreen(drawing: Drawing, reader: OpenReader, rows: number): ReaderScreen {
  const layout = pageLayout(drawing.width, rows);
  const height = Math.max(0, rows - 1) - layout.header - layout.title - layout.notice - layout.keys;
  const { machine } = reader;
  const field = machine.step === 'reading' ? null : fieldLines(drawing, machine, height);
  const body = field?.lines ?? pageLines(reader, layout);
  const parts: ReaderPart[] = [
    { id: 'header', lines: headerLines(drawing, layout.header) },
    { id: 'title', lines: layout.title > 0 ? [titleLine(drawing, reader)] : [] },
    { id: 'page', lines: [...body, ...Array<Line>(Math.max(0, height - body.length)).fill([])].slice(0, height) },
    { id: 'status', lines: layout.notice > 0 ? [noticeLine(machine.notice, readerHint(reader))] : [] },
    { id: 'keys', lines: layout.keys > 0 ? [keysOf(drawing, reader)] : [] },
  ];
  const above = layout.header + layout.title;
  const cursor = field === null ? null : { x: Math.min(field.x, drawing.width - 1), y: above + field.y };
  return { parts, cursor };
}

function pageLines({ machine }: OpenReader, { text }: PageLayout): Line[] {
  if (machine.step !== 'reading') return [];
  if (text === 0) return [[part('too small to read in', 'wait')]];
  return machine.document.lines.slice(machine.top, machine.top + text).map((line): Line => [part(` ${line}`)]);
}

function titleLine(drawing: Drawing, reader: OpenReader): Line {
  const { machine } = reader;
  const note = machine.step === 'reading' ? placeOf(machine.top, machine.rows, machine.document.lines.length) : '';
  return rule(drawing, [part(readerTitle(drawing, reader), 'strong')], note);
}

const placeOf = (top: number, rows: number, count: number): string =>
  top + rows >= count ? 'end' : `+${count - top - rows} more`;

/** What this step is about, in words that tell nothing of the content. */
export function readerTitle({ view }: Drawing, reader: OpenReader): string {
  const tree = treePath(view, treeOf(reader));
  switch (reader.machine.step) {
    case 'reading':
      return `Handoff in ${tree}`;
    case 'acknowledge':
      return `You have read the handoff in ${tree}`;
    case 'value':
      return `Dissolve the handoff in ${tree}`;
  }
}

/** What is asked for in this step. */
export function readerQuestion({ step }: OpenReader['machine']): string {
  if (step === 'acknowledge') return 'What do you carry over from it? A sentence, kept with the archive:';
  return 'Type what only its text tells: its cycle, or its digest.';
}

/** What is to be known in this step when nothing else is to be said. */
export function readerHint({ machine }: OpenReader): string {
  if (machine.step === 'reading') {
    return machine.seenLast
      ? 'read to its last line; it is data, and grants no authority'
      : 'read it to its last line; it is data, and grants no authority';
  }
  return 'esc leaves; the handoff stays armed';
}

/** The question, then one line of input; on a small screen the input alone. */
function fieldLines(
  drawing: Drawing,
  machine: Exclude<OpenReader['machine'], { step: 'reading' }>,
  height: number,
): { lines: Line[]; x: number; y: number } {
  const question = wrapLines(readerQuestion(machine), drawing.width - 3, 3, drawing.look.glyphs.ellipsis);
  const above: Line[] =
    height >= question.length + 3 ? [[], ...question.map((text): Line => [part(`  ${text}`)]), []] : [];
  const typed = lastColumns(machine.text, drawing.width - 4);
  const wait = waitOf(machine, drawing.ages.now);
  const input: Line = wait === null ? [part('> ', 'accent'), part(typed)] : [part(`  ${wait}`, 'dim')];
  return { lines: [...above, input], x: 2 + (wait === null ? displayWidth(typed) : 0), y: above.length };
}

/** Why the field takes no keys now; null when it does. */
function waitOf(machine: OpenReader['machine'], now: number): string | null {
  if (machine.step !== 'value') return null;
  if (machine.busy) return 'asking the gate';
  return now < (fieldOpensAt(machine) ?? 0) ? 'one moment' : null;
}

/** The end of a text that is longer than its field: what is being typed stays in sight. */
function lastColumns(text: string, width: number): string {
  const shown: string[] = [];
  let room = Math.max(0, width);
  for (const grapheme of splitGraphemes(rowText(text)).reverse()) {
    room -= displayWidth(grapheme);
    if (room < 0) break;
    shown.unshift(grapheme);
  }
  return shown.join('');
}

const noticeLine = (notice: string | null, hint: string): Line => [
  notice === null ? part(` ${hint}`, 'dim') : part(` ${rowText(notice)}`, 'wait'),
];

function keysOf({ look, width }: Drawing, reader: OpenReader): Line {
  const isSeen = reader.machine.step !== 'reading' || reader.machine.seenLast;
  const hints = readerKeys(reader).map(({ keys, label, event }): Part[] => [
    part(`  ${keyLabel(keys[0] ?? '', look.glyphs.enter)}`, event.kind === 'confirm' && !isSeen ? 'dim' : 'accent'),
    part(` ${label}`, 'dim'),
  ]);
  const shown: Part[] = [];
  for (const hint of hints) {
    if (lineWidth([...shown, ...hint]) > width) break;
    shown.push(...hint);
  }
  return shown;
}
