/** The marks of a descriptor read against a screen, mark by mark: what a proof of the marks themselves needs. */
import type { ScreenMarks } from '../../../src/domain/runtime.ts';
import type { Screen } from '../../../src/domain/screen.ts';

const text = (screen: Screen): string => screen.lines.join('\n');

export function dialogOn(screen: Screen, { dialogs }: ScreenMarks): string | undefined {
  return dialogs.find(
    (mark) => mark.text.every((part) => part.test(text(screen))) && mark.unless?.test(text(screen)) !== true,
  )?.kind;
}

/** Ready for a prompt: the marks say so and no dialog does. */
export const readyOn = (screen: Screen, marks: ScreenMarks): boolean =>
  dialogOn(screen, marks) === undefined &&
  marks.ready.text.every((mark) => mark.test(text(screen))) &&
  (marks.ready.title?.test(screen.title) ?? true);

export const busyOn = (screen: Screen, { busy }: ScreenMarks): boolean =>
  busy.text.some((mark) => mark.test(text(screen))) || busy.title?.test(screen.title) === true;

/** What is typed in the composer; empty for a placeholder; undefined where no composer is. */
export function draftOn(screen: Screen, { composer, placeholders }: ScreenMarks): string | undefined {
  const found = composer?.exec(screen.lines[screen.cursor.y] ?? '');
  if (!found) return undefined;
  const draft = (found.groups?.['draft'] ?? '').trim();
  return placeholders.some((mark) => mark.test(draft)) ? '' : draft;
}

export const shows =
  (words: string) =>
  (screen: Screen): boolean =>
    text(screen).includes(words);
