/** The handoff reader for ears: the same steps and rules as on the screen, each line of the text once as it is reached. */

import { readerKeys } from '../state/reader-keys.ts';
import type { OpenReader } from '../state/ui-state.ts';
import type { Drawing } from '../view-model/drawing.ts';
import { keyLabel } from '../view-model/footer.ts';
import { readerHint, readerQuestion, readerTitle } from '../view-model/reader.ts';

export function readerSentences(before: OpenReader | null, reader: OpenReader, drawing: Drawing): string[] {
  if (before === reader) return [];
  const { machine } = reader;
  const last = before?.machine ?? null;
  const lines: string[] = [];
  if (machine.notice !== null && machine.notice !== last?.notice) lines.push(`${machine.notice}.`);
  const isNew = last?.step !== machine.step || last.document !== machine.document;
  if (isNew) lines.push(`${readerTitle(drawing, reader)}. ${keysSentence(reader, drawing)}`);
  if (machine.step === 'reading') {
    const from = !isNew && last?.step === 'reading' ? last : null;
    const wasSeen = (row: number): boolean => from !== null && row >= from.top && row < from.top + from.rows;
    const { top, rows, document } = machine;
    lines.push(
      ...document.lines.slice(top, top + rows).flatMap((line, index) => (wasSeen(top + index) ? [] : [`| ${line}`])),
    );
    const isEnd = machine.seenLast && (isNew || (last?.step === 'reading' && !last.seenLast));
    if (isEnd) lines.push(`${readerHint(reader)}.`);
  } else if (isNew) lines.push(readerQuestion(machine));
  return lines;
}

const keysSentence = (reader: OpenReader, { look }: Drawing): string =>
  `${readerKeys(reader)
    .slice(0, 3)
    .map(({ keys, label }) => `${keyLabel(keys[0] ?? '', look.glyphs.enter)}: ${label}`)
    .join('; ')}.`;
