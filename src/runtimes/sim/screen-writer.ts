/** The sim's screen: lines that scroll away, then a composer and a status line that stay below them. */
import { cleanLine } from '../../domain/text.ts';

export interface ScreenWriter {
  /** One line above the composer. Text of others is cleaned here. */
  print(line: string): void;
  /** Shows `draft` in the composer, or hides the composer (null) while a dialog has the keys. */
  compose(draft: string | null): void;
  status(text: string): void;
  title(text: string): void;
}

export function screenWriter(out: NodeJS.WriteStream): ScreenWriter {
  let draft: string | null = '';
  let status = '';
  let pending = '';
  let scheduled = false;

  const paint = (): void => {
    scheduled = false;
    const width = Math.max(10, (out.columns ?? 80) - 3);
    const shown = draft === null ? null : tail(draft.replaceAll('\n', '⏎').replaceAll('\t', ' '), width);
    const composer = shown === null ? '' : `❯ ${shown}`;
    // The cursor rests on the composer, so that clearing from there takes both lines.
    out.write(
      `\r\u001b[J${pending}${composer}\r\n  ${status}\u001b[A\r${shown === null ? '' : `\u001b[${2 + shown.length}C`}`,
    );
    pending = '';
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(paint);
  };

  return {
    print(line) {
      pending += `${cleanLine(line) === '' ? '' : line.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')}\r\n`;
      schedule();
    },
    compose(text) {
      draft = text;
      schedule();
    },
    status(text) {
      status = text;
      schedule();
    },
    title: (text) => out.write(`\u001b]2;${cleanLine(text)}\u0007`),
  };
}

/** The last characters that surely fit: wide ones are counted as two. */
function tail(text: string, width: number): string {
  const wide = /[^\u0000-\u02ff]/.test(text.slice(-width));
  return Array.from(text.slice(-width * 2))
    .slice(-(wide ? Math.floor(width / 2) : width))
    .join('');
}
