/** Questions to a screen in one word each, answered by the town's own reading of it. */
import { readDraft, readScreen } from '../../../src/domain/read-screen.ts';
import type { ScreenMarks } from '../../../src/domain/runtime.ts';
import type { Screen } from '../../../src/domain/screen.ts';

export function dialogOn(screen: Screen, marks: ScreenMarks): string | undefined {
  const reading = readScreen(screen, marks, Date.now());
  return reading.kind === 'dialog' ? reading.dialog : undefined;
}

export const readyOn = (screen: Screen, marks: ScreenMarks): boolean =>
  readScreen(screen, marks, Date.now()).kind === 'ready';

export const busyOn = (screen: Screen, marks: ScreenMarks): boolean =>
  readScreen(screen, marks, Date.now()).kind === 'busy';

/** What is typed in the composer; null where no composer is. */
export const draftOn = (screen: Screen, marks: ScreenMarks): string | null => readDraft(screen, marks);

export const shows =
  (words: string) =>
  (screen: Screen): boolean =>
    screen.lines.join('\n').includes(words);
