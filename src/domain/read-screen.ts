/** Reads one pane's screen by its runtime's marks. It only answers "may I type now?"; `unknown` is an answer. */
import { resetTime } from './reset-time.ts';
import type { LimitMark, ScreenMarks } from './runtime.ts';
import type { ReadScreen, Screen, ScreenReading } from './screen.ts';
import { type StyledCharacter, styledCharacters } from './styled-text.ts';

/** A dialog owns the keyboard, so it comes first; who works is not limited, whatever an old banner says. */
export const readScreen: ReadScreen = (screen, marks, now) => {
  const text = screen.lines.join('\n');
  const dialog = marks.dialogs.find((one) => one.text.every((mark) => mark.test(text)) && !one.unless?.test(text));
  if (dialog) return { kind: 'dialog', dialog: dialog.kind, hint: dialog.hint };
  const { busy, ready } = marks;
  if (busy.text.some((mark) => mark.test(text)) || busy.title?.test(screen.title)) {
    return { kind: 'busy', draft: readDraft(screen, marks) ?? '' };
  }
  const limit = readLimit(screen, marks.limits, now);
  if (limit) return limit;
  if (ready.text.every((mark) => mark.test(text)) && (ready.title?.test(screen.title) ?? true)) {
    return { kind: 'ready', draft: readDraft(screen, marks) ?? '' };
  }
  return { kind: 'unknown' };
};

/**
 * What somebody typed into the composer; empty where it shows nothing, a placeholder or a suggestion, null where no line
 * is a composer. The cursor's row wins, else the last line that matches: past prompts look alike.
 */
export function readDraft(screen: Screen, { composer, placeholders }: ScreenMarks): string | null {
  if (!composer) return null;
  const rows = screen.lines.flatMap((line, row) => (composer.test(line) ? [row] : []));
  const row = rows.includes(screen.cursor.y) ? screen.cursor.y : rows.at(-1);
  if (row === undefined) return null;
  const line = screen.lines[row] ?? '';
  const shown = composer.exec(line)?.groups?.['draft'] ?? '';
  const styled = styledCharacters(screen.styled[row] ?? line).slice(line.lastIndexOf(shown));
  const typed = withoutGhosts(styled.slice(0, shown.length)).replaceAll('\u00a0', ' ').trim();
  return placeholders.some((mark) => mark.test(typed)) || placeholders.some((mark) => mark.test(shown.trim()))
    ? ''
    : typed;
}

/** Dim text nobody typed. Its first character may lie under a cursor drawn in reverse. */
function withoutGhosts(characters: readonly StyledCharacter[]): string {
  return characters
    .filter((each, index) => !(each.dim || (each.inverse && characters[index + 1]?.dim)))
    .map((each) => each.unit)
    .join('');
}

/** How far up from the last written line a banner still speaks of now. */
const bannerLines = 20;

function readLimit(screen: Screen, limits: readonly LimitMark[], now: number): ScreenReading | null {
  const written = screen.lines.filter((line) => line !== '').slice(-bannerLines);
  const text = written.join('\n');
  for (const { text: mark } of limits) {
    const found = mark.exec(text);
    if (!found) continue;
    const { time, seconds } = found.groups ?? {};
    const until =
      seconds === undefined ? (time === undefined ? null : resetTime(time, now)) : now + Number(seconds) * 1000;
    // A banner may outlive the limit it tells of.
    if (until !== null && until <= now) continue;
    return { kind: 'limited', until, line: (found[0].split('\n')[0] ?? '').trim() };
  }
  return null;
}
