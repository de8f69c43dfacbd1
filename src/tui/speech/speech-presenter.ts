/** Line-based output for screen readers and dumb terminals: sentences, each once, and only what changed. */
import type { Presenter } from '../terminal/presenter.ts';
import type { Output } from '../terminal/screen.ts';
import { type Spoken, sentences, silence } from './sentences.ts';

export function createSpeechPresenter(output: Output): Presenter {
  let spoken: Spoken = silence;
  return {
    enter: () => undefined,
    show(_frame, drawing) {
      const next = sentences(spoken, drawing);
      spoken = next.spoken;
      for (const line of next.lines) output.write(`${line}\r\n`);
    },
    forget: () => undefined,
    restore: () => undefined,
    close: () => undefined,
    failed: new Promise<never>(() => undefined),
  };
}
