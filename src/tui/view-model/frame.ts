/**
 * One frame: which parts the size allows, each with its lines. Never more than rows − 1 lines, never wider than the
 * terminal. Parts come and go with the size alone, so that the screen does not jump while one looks at it.
 */

import { toAscii } from '../text/ascii.ts';
import { type Line, paint, part } from '../text/line.ts';
import { detailLines, detailWish, summaryLine } from './detail.ts';
import { dialogLines, dialogWish } from './dialogs.ts';
import { type Drawing, rule } from './drawing.ts';
import { tailLines } from './events.ts';
import { hasMessage, keysLine, messageParts, statusLine } from './footer.ts';
import { bannerLines, headerLines } from './header.ts';
import { peekLines } from './peek.ts';
import { readerScreen } from './reader.ts';
import { screenLines } from './screens.ts';
import { drawTable } from './table.ts';

export interface Section {
  id: string;
  lines: readonly string[];
}

export interface Frame {
  sections: readonly Section[];
  height: number;
  cursor: { x: number; y: number } | null;
  /** First visible index of each list, to start from next time. */
  tops: Readonly<Record<string, number>>;
}

export function buildFrame(drawing: Drawing, rows: number, tops: Readonly<Record<string, number>>): Frame {
  const height = Math.max(0, rows - 1);
  const { ui, look, width } = drawing;
  const sections: Section[] = [];
  const add = (id: string, lines: readonly Line[]): void => {
    if (lines.length > 0) sections.push({ id, lines: lines.map((line) => finish(drawing, line)) });
  };

  if (ui.reader !== null) {
    const screen = readerScreen(drawing, ui.reader, rows);
    for (const { id, lines } of screen.parts) add(id, lines);
    return { sections, height, cursor: screen.cursor, tops };
  }

  const headerHeight = height >= 14 ? 2 : height >= 3 ? 1 : 0;
  const keysHeight = height >= 6 && ui.dialog === null ? 1 : 0;
  const statusHeight = height >= 10 ? 1 : 0;
  const banner = bannerLines(drawing).slice(0, height >= 24 ? 3 : height >= 9 ? 1 : 0);
  let room = height - headerHeight - keysHeight - statusHeight - banner.length;

  add('header', headerLines(drawing, headerHeight));
  add('banner', banner);

  const dialogHeight = ui.dialog === null ? 0 : Math.min(dialogWish(drawing, ui.dialog), Math.max(1, room - 2), room);
  room -= dialogHeight;

  const nextTops: Record<string, number> = { ...tops };
  if (ui.screen === 'agents') {
    const body = agentsBody(drawing, room, tops['agents'] ?? 0, dialogHeight > 1);
    nextTops['agents'] = body.top;
    for (const [id, lines] of body.parts) sections.push({ id, lines });
  } else {
    const body = screenLines(drawing, ui.screen, room, tops[ui.screen] ?? 0);
    nextTops[ui.screen] = body.top;
    add(ui.screen, body.lines);
  }
  const used = sections.reduce((sum, { lines }) => sum + lines.length, 0);
  const filler = height - used - dialogHeight - statusHeight - keysHeight;
  if (filler > 0) sections.push({ id: 'space', lines: Array<string>(filler).fill('') });

  let cursor: Frame['cursor'] = null;
  if (ui.dialog !== null && dialogHeight > 0) {
    const top = height - dialogHeight - statusHeight - keysHeight;
    const dialog = dialogLines(drawing, ui.dialog, dialogHeight);
    const padded = [...dialog.lines, ...Array<Line>(Math.max(0, dialogHeight - dialog.lines.length)).fill([])];
    if (dialog.cursor !== null) {
      cursor = { x: Math.min(dialog.cursor.x, width - 1), y: top + Math.min(dialog.cursor.y, dialogHeight - 1) };
    }
    add('dialog', padded);
  }
  if (statusHeight > 0) {
    const hasDetail = ui.screen !== 'agents' || ui.dialog !== null || sections.some(({ id }) => id === 'detail');
    add('status', [statusLine(drawing, hasDetail ? [] : summaryLine(drawing))]);
  }
  if (keysHeight > 0) {
    const isShort = statusHeight === 0 && hasMessage(drawing);
    add('keys', [isShort ? messageParts(drawing) : keysLine(drawing)]);
  }
  return { sections, height, cursor, tops: nextTops };

  function finish(from: Drawing, line: Line): string {
    const painted = paint(line, from.width, look.colour, look.glyphs.ellipsis);
    return look.ascii ? toAscii(painted) : painted;
  }
}

/** Table, then the preview or the detail of the selected agent, then the newest events. */
function agentsBody(
  drawing: Drawing,
  height: number,
  before: number,
  hasDialog: boolean,
): { parts: [string, readonly string[]][]; top: number } {
  const { ui, look, width, rows } = drawing;
  const painted = (lines: readonly Line[]): string[] =>
    lines.map((line) => {
      const text = paint(line, width, look.colour, look.glyphs.ellipsis);
      return look.ascii ? toAscii(text) : text;
    });
  const headingHeight = height >= 5 ? 1 : 0;
  const whole = headingHeight + Math.max(1, rows.length);
  const least = Math.min(whole, headingHeight + Math.max(3, Math.floor(height / 2) - headingHeight));
  const room = Math.max(0, height - least);

  let bottom: Line[] = [];
  if (ui.peeking) {
    const peekHeight = Math.max(room, height - Math.min(whole, headingHeight + Math.max(3, Math.floor(height / 3))));
    bottom = padTo(peekLines(drawing, peekHeight), peekHeight);
  } else if (!hasDialog && room >= 4) {
    const wish = Math.max(6, detailWish(drawing));
    bottom = padTo(detailLines(drawing, Math.min(wish, room)), Math.min(wish, room));
  }
  const tableHeight = Math.min(whole, height - bottom.length);
  const eventsHeight = height - tableHeight - bottom.length;
  const events =
    eventsHeight >= 3 && !ui.peeking && !hasDialog && drawing.view.journal.length > 0
      ? [rule(drawing, [part('events', 'dim')]), ...tailLines(drawing, eventsHeight - 1)]
      : [];
  const table = drawTable(drawing, Math.max(0, tableHeight), headingHeight > 0, before);
  const tableLines = look.ascii ? table.lines.map(toAscii) : table.lines;
  const parts: [string, readonly string[]][] = [
    ['table', tableLines],
    ['detail', painted(bottom)],
    ['events', painted(events)],
  ];
  return { parts: parts.filter(([, lines]) => lines.length > 0), top: table.top };
}

const padTo = (lines: Line[], height: number): Line[] =>
  lines.length === 0 ? lines : [...lines, ...Array<Line>(Math.max(0, height - lines.length)).fill([])].slice(0, height);
