/**
 * Paints frames: keeps what the terminal shows and writes only lines that differ, each by absolute position, so that
 * nothing depends on where the cursor was, nothing scrolls, and `ESC[3J` is never needed (field report 51).
 */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

export interface Cursor {
  x: number;
  y: number;
}

export interface Screen {
  enter(): void;
  /** Draws `lines` from the top; `cursor` is where text is typed, null hides it. */
  draw(lines: readonly string[], cursor: Cursor | null): void;
  /** Forgets what is shown: the next frame is written whole (after a resize, or after being continued). */
  forget(): void;
  /** Gives the terminal back as it was. Doing it twice writes nothing. */
  leave(): void;
}

const esc = '\u001b[';
// Alternate screen, hidden cursor, no automatic wrap (a width we and the terminal disagree on costs one cell, not a row), bracketed paste.
const enterCodes = `${esc}?1049h${esc}?25l${esc}?7l${esc}?2004h${esc}H${esc}2J`;
const leaveCodes = `${esc}0m${esc}?2004l${esc}?7h${esc}?25h${esc}?1049l`;
const beginUpdate = `${esc}?2026h`;
const endUpdate = `${esc}?2026l`;

export function createScreen(output: Output): Screen {
  let entered = false;
  let shown: readonly string[] | null = null;
  let shownCursor: Cursor | null = null;

  const draw = (lines: readonly string[], cursor: Cursor | null): void => {
    if (!entered) return;
    let text = '';
    for (const [row, line] of lines.entries()) {
      // Erased first: without automatic wrap, erasing behind a full line would take its last character.
      if (shown === null || shown[row] !== line) text += `${esc}${row + 1};1H${esc}K${line}`;
    }
    if (shown === null || shown.length > lines.length) text += `${esc}${lines.length + 1};1H${esc}J`;
    const moved = cursor?.x !== shownCursor?.x || cursor?.y !== shownCursor?.y;
    if (text === '' && !moved) return;
    const placed = cursor === null ? '' : `${esc}${cursor.y + 1};${cursor.x + 1}H${esc}?25h`;
    const hidden = shownCursor === null && shown !== null ? '' : `${esc}?25l`;
    output.write(beginUpdate + hidden + text + placed + endUpdate);
    shown = lines;
    shownCursor = cursor;
  };

  return {
    enter() {
      entered = true;
      shown = null;
      output.write(enterCodes);
    },
    draw,
    forget() {
      shown = null;
    },
    leave() {
      if (!entered) return;
      entered = false;
      output.write(leaveCodes);
    },
  };
}

export interface Size {
  columns: number;
  rows: number;
}

/** The terminal's size; 0 and undefined, as pipes and new terminals report them, mean 80×24. */
export const readSize = (output: Output): Size => ({ columns: output.columns || 80, rows: output.rows || 24 });
