/** The sim's terminal: raw keys in, a draft that can be seen, submitted lines out. */
import { keyReader } from './keys.ts';
import { type ScreenWriter, screenWriter } from './screen-writer.ts';

export interface Terminal extends Omit<ScreenWriter, 'compose'> {
  /** Submit keys to ignore from now on. */
  swallow(count: number): void;
  /** While set, digits answer it and everything else is ignored; the composer is hidden. */
  ask(answer: ((digit: string) => void) | null): void;
  close(): void;
}

export interface TerminalEvents {
  submitted(text: string): void;
  escaped(): void;
  /** Ctrl-C twice, or the terminal is gone. */
  closed(): void;
}

/** Milliseconds after which a lone ESC is the Escape key. */
const escapeMs = 30;

export function openTerminal(input: NodeJS.ReadStream, output: NodeJS.WriteStream, events: TerminalEvents): Terminal {
  const screen = screenWriter(output);
  const keys = keyReader();
  let draft = '';
  let swallowed = 0;
  let interrupted = false;
  let answer: ((digit: string) => void) | null = null;
  let settling: NodeJS.Timeout | undefined;

  const submit = (): void => {
    if (swallowed > 0) {
      swallowed -= 1;
      return;
    }
    const text = draft.trim();
    draft = '';
    if (text !== '') events.submitted(text);
  };
  const press = (key: ReturnType<typeof keys.read>[number]): void => {
    if (key.kind === 'interrupt') {
      if (interrupted || draft === '') events.closed();
      interrupted = true;
      draft = '';
      return;
    }
    interrupted = false;
    if (answer !== null) {
      if (key.kind === 'text' && /^[1-9]$/.test(key.text)) answer(key.text);
      return;
    }
    if (key.kind === 'text') draft += key.text;
    else if (key.kind === 'erase') draft = draft.replace(/.$/su, '');
    else if (key.kind === 'clear-line') draft = '';
    else if (key.kind === 'submit') submit();
    else events.escaped();
  };
  const pressAll = (pressed: ReturnType<typeof keys.read>): void => {
    for (const key of pressed) press(key);
    screen.compose(answer === null ? draft : null);
  };

  if (input.isTTY) input.setRawMode(true);
  output.write('\u001b[?2004h');
  input.setEncoding('utf8');
  input.on('data', (piece: string) => {
    clearTimeout(settling);
    pressAll(keys.read(piece));
    settling = setTimeout(() => pressAll(keys.settle()), escapeMs);
  });
  input.on('end', events.closed);
  input.on('error', events.closed);
  output.on('resize', () => screen.compose(answer === null ? draft : null));

  return {
    print: screen.print,
    status: screen.status,
    title: screen.title,
    swallow(count) {
      swallowed = count;
    },
    ask(next) {
      answer = next;
      screen.compose(answer === null ? draft : null);
    },
    close() {
      output.write('\u001b[?2004l\r\n');
      if (input.isTTY) input.setRawMode(false);
    },
  };
}
