import type { Frame } from '../view-model/frame.ts';
import { createInkFrame } from './ink-frame.tsx';
import type { Presenter } from './presenter.ts';
import { type Cursor, createScreen, type Output, readSize } from './screen.ts';

/** Full screen, composed by Ink. A frame equal to the last one is not even composed. */
export function createScreenPresenter(output: Output): Presenter {
  const screen = createScreen(output);
  let cursor: Cursor | null = null;
  let shown: Frame | null = null;
  let shownColumns = 0;
  const ink = createInkFrame((lines) => screen.draw(lines, cursor));
  return {
    enter: screen.enter,
    show(frame) {
      const { columns } = readSize(output);
      const isSame = shown !== null && columns === shownColumns && sameFrame(shown, frame);
      if (isSame) return;
      cursor = frame.cursor;
      shown = frame;
      shownColumns = columns;
      ink.show(frame, columns);
    },
    forget() {
      shown = null;
      screen.forget();
    },
    restore: screen.leave,
    close: ink.unmount,
    failed: ink.failed,
  };
}

const sameFrame = (a: Frame, b: Frame): boolean =>
  a.cursor?.x === b.cursor?.x &&
  a.cursor?.y === b.cursor?.y &&
  a.sections.length === b.sections.length &&
  a.sections.every((section, index) => {
    const other = b.sections[index];
    return (
      other?.id === section.id &&
      other.lines.length === section.lines.length &&
      other.lines.every((line, row) => line === section.lines[row])
    );
  });
