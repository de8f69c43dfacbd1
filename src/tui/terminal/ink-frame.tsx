/**
 * Ink composes the frame (React tree → layout → text); our screen paints it. Ink's `debug` mode hands over every frame
 * whole, at once and wherever it runs: its own painting clears the terminal when a frame is tall, and does nothing
 * where `CI` is set (field reports 51, 53).
 */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { Box, render } from 'ink';
import { createElement, memo, type ReactElement } from 'react';
import type { Frame, Section } from '../view-model/frame.ts';

export interface InkFrame {
  show(frame: Frame, columns: number): void;
  unmount(): void;
  /** Rejects when drawing itself failed. */
  failed: Promise<never>;
}

export function createInkFrame(onLines: (lines: string[]) => void): InkFrame {
  const sink = new FrameSink(onLines);
  const instance = render(<Box />, {
    // Ink asks a stream for these members only; keys never come through it.
    stdout: sink as unknown as NodeJS.WriteStream,
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    show(frame, columns) {
      sink.columns = columns;
      instance.rerender(<FrameView sections={frame.sections} columns={columns} />);
    },
    unmount() {
      sink.close();
      instance.unmount();
      instance.cleanup();
    },
    failed: instance.waitUntilExit().then(() => new Promise<never>(() => undefined)),
  };
}

class FrameSink extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  columns = 80;
  readonly #onLines: (lines: string[]) => void;
  #isOpen = true;

  constructor(onLines: (lines: string[]) => void) {
    super();
    this.#onLines = onLines;
  }

  write(frame: string): boolean {
    if (this.#isOpen) this.#onLines(frame.split('\n'));
    return true;
  }

  close(): void {
    this.#isOpen = false;
  }
}

export function FrameView({ sections, columns }: { sections: readonly Section[]; columns: number }): ReactElement {
  return (
    <Box flexDirection="column" width={columns}>
      {sections.map(({ id, lines }) => (
        <SectionView key={id} lines={lines} />
      ))}
    </Box>
  );
}

const SectionView = memo(
  ({ lines }: { lines: readonly string[] }): ReactElement => (
    <Box flexDirection="column" flexShrink={0}>
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen
        <LineView key={row} line={line} />
      ))}
    </Box>
  ),
  (before, after) =>
    before.lines.length === after.lines.length && before.lines.every((line, row) => line === after.lines[row]),
);

const lineStyle = { height: 1, flexShrink: 0, textWrap: 'truncate' } as const;

/**
 * Ink's own text element with a fixed height: `<Text>` would be measured, and Ink keeps every string it ever measured.
 * The line is painted and cut already.
 */
const LineView = memo(
  ({ line }: { line: string }): ReactElement => createElement('ink-text', { style: lineStyle }, line),
);
