/** Questions, prompts and pickers: they take the lines above the footer; the table stays in sight. */

import { actionsOn } from '../actions.ts';
import type { Composer } from '../state/composer.ts';
import { pickerChoices } from '../state/dialog-keys.ts';
import type { Choice, Dialog } from '../state/ui-state.ts';
import { type Line, part } from '../text/line.ts';
import { displayWidth, rowText, splitGraphemes, toWidth, wrapLines } from '../text/width.ts';
import { type Drawing, rule, windowTop } from './drawing.ts';
import { keyLabel } from './footer.ts';

export interface DialogLines {
  lines: Line[];
  /** Where text is typed, from the top left of `lines`; null when nothing is. */
  cursor: { x: number; y: number } | null;
}

/** Most lines a picker takes. */
const pickerLimit = 14;

/** Lines the dialog would like. */
export function dialogWish(drawing: Drawing, dialog: Dialog): number {
  if (dialog.kind === 'filter') return 1;
  if (dialog.kind === 'confirm') return drawing.width < 60 ? 5 : 4;
  if (dialog.kind === 'text') return 4;
  return Math.min(pickerLimit, pickerChoices(drawing, dialog).length + 4);
}

export function dialogLines(drawing: Drawing, dialog: Dialog, height: number): DialogLines {
  switch (dialog.kind) {
    case 'filter':
      return promptLines(drawing, [], '/ ', dialog.input, [], height);
    case 'confirm':
      return confirmLines(drawing, dialog, height);
    case 'text': {
      const heading = rule(drawing, [part(rowText(dialog.title), 'strong')]);
      const hint: Line = [
        part(`  enter sends ${drawing.look.glyphs.dot} esc leaves ${drawing.look.glyphs.dot} ${dialog.hint}`, 'dim'),
      ];
      return promptLines(drawing, height >= 2 ? [heading] : [], '  ', dialog.input, [hint], height);
    }
    default:
      return pickerLines(drawing, dialog, height);
  }
}

/** Heading lines, one line of input, then what follows, all within `height`; the input line always stays. */
function promptLines(
  { width }: Drawing,
  heading: Line[],
  label: string,
  input: Composer,
  after: Line[],
  height: number,
): DialogLines {
  const { text, x } = visibleInput(input, Math.max(1, width - displayWidth(label) - 1));
  const typed: Line = [part(label, 'accent'), part(text)];
  const lines = [...heading, typed, ...after].slice(0, Math.max(1, height));
  return { lines, cursor: { x: displayWidth(label) + x, y: heading.length } };
}

/** The part of the text around the cursor that fits, and the cursor's column in it. */
function visibleInput(input: Composer, width: number): { text: string; x: number } {
  const before = [...input.before];
  let x = displayWidth(before.join(''));
  while (x >= width && before.length > 0) {
    before.shift();
    x = displayWidth(before.join(''));
  }
  let text = before.join('');
  for (const grapheme of splitGraphemes(input.after.join(''))) {
    if (displayWidth(text) + displayWidth(grapheme) > width) break;
    text += grapheme;
  }
  return { text, x };
}

function confirmLines(drawing: Drawing, dialog: Extract<Dialog, { kind: 'confirm' }>, height: number): DialogLines {
  const { glyphs } = drawing.look;
  const question = wrapLines(rowText(dialog.question), drawing.width - 2, 2, glyphs.ellipsis);
  const answer: Line = [part('  y', 'accent'), part(' yes   ', 'dim'), part('n', 'accent'), part(' no', 'dim')];
  const consequence = wrapLines(rowText(dialog.consequence), drawing.width - 2, 2, glyphs.ellipsis);
  const all: Line[] = [
    rule(drawing, []),
    ...question.map((text): Line => [part(`  ${text}`, 'alarm')]),
    ...consequence.map((text): Line => [part(`  ${text}`, 'dim')]),
  ];
  if (height === 1) return { lines: [[part(`${rowText(dialog.question)} y/n`, 'alarm')]], cursor: null };
  return { lines: [...all.slice(0, height - 1), answer], cursor: null };
}

function pickerLines(drawing: Drawing, dialog: Extract<Dialog, { index: number }>, height: number): DialogLines {
  const { glyphs } = drawing.look;
  const choices = pickerChoices(drawing, dialog);
  const heading = rule(drawing, [part(pickerTitle(dialog), 'strong')], `${choices.length}`);
  const hints: Line = [part(`  up down choose ${glyphs.dot} enter takes ${glyphs.dot} esc leaves`, 'dim')];
  const room = Math.max(0, height - 3);
  const top = windowTop(0, dialog.index, room, choices.length);
  const lines = choices
    .slice(top, top + room)
    .map((choice, index) => choiceLine(choice, top + index === dialog.index, drawing, dialog.kind === 'palette'));
  if (choices.length === 0) lines.push([part(`  ${emptyHint(dialog)}`, 'dim')]);
  const label = dialog.kind === 'palette' ? ': ' : '> ';
  return promptLines(
    drawing,
    height >= 3 ? [heading] : [],
    label,
    dialog.input,
    [...lines.slice(0, Math.max(room, 0)), hints],
    height,
  );
}

function pickerTitle(dialog: Extract<Dialog, { index: number }>): string {
  if (dialog.kind === 'palette') return 'Do what?';
  if (dialog.kind === 'sling-bead') return 'Sling which bead? Choose one, or type the title of a new one';
  return 'id' in dialog.bead
    ? `Sling ${dialog.bead.id} to whom?`
    : `Sling new “${rowText(dialog.bead.title)}” to whom?`;
}

const emptyHint = (dialog: Extract<Dialog, { index: number }>): string =>
  dialog.kind === 'sling-bead' ? 'no bead is ready; type a title to make one' : 'nothing matches';

function choiceLine(choice: Choice, isSelected: boolean, drawing: Drawing, isPalette: boolean): Line {
  const { glyphs } = drawing.look;
  const off = choice.why !== null;
  const key = isPalette ? keyOf(choice, drawing) : '';
  const text = rowText(choice.text);
  const shown = isPalette ? toWidth(text, 18, glyphs.ellipsis) : text;
  return [
    part(isSelected ? `${glyphs.cursor} ` : '  ', 'accent'),
    ...(isPalette ? [part(`${toWidth(key, 6, glyphs.ellipsis)}`, 'accent')] : []),
    part(shown, isSelected ? 'title' : off ? 'dim' : 'plain'),
    part(`  ${rowText(choice.why ?? choice.note)}`, 'dim'),
  ];
}

const keyOf = (choice: Choice, drawing: Drawing): string => {
  const action = actionsOn(drawing.ui.screen).find(({ name }) => name === choice.id);
  return action?.keys[0] === undefined ? '' : keyLabel(action.keys[0], drawing.look.glyphs.enter);
};
