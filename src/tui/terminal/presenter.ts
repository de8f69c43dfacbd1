import type { Drawing } from '../view-model/drawing.ts';
import type { Frame } from '../view-model/frame.ts';

/** What shows frames to a person: the screen, or sentences. */
export interface Presenter {
  enter(): void;
  show(frame: Frame, drawing: Drawing): void;
  /** The terminal changed its size, or shows something else: everything is drawn again. */
  forget(): void;
  /** Gives the terminal back; synchronous, and harmless when done twice. */
  restore(): void;
  close(): void;
  /** Rejects when drawing itself failed. */
  failed: Promise<never>;
}
