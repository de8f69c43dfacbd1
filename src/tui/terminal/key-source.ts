/** Reads keys from the terminal in raw mode. Its end or an error is the end of the pane, never a reason to try again. */
import { createKeyDecoder, type Key } from './keys.ts';

/** The members of `process.stdin` that are used. */
export interface KeyInput {
  isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (chunk: string) => void): unknown;
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown;
  off(event: 'data', listener: (chunk: string) => void): unknown;
  off(event: 'end' | 'close', listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** A lone escape is the escape key when nothing follows for this long; tmux passes whole sequences at once. */
const escapeMs = 25;

export function readKeys(input: KeyInput, onKeys: (keys: Key[]) => void, onEnd: () => void): () => void {
  const decoder = createKeyDecoder();
  let timer: NodeJS.Timeout | null = null;
  const onData = (chunk: string): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const keys = decoder.push(String(chunk));
    if (decoder.isWaiting()) timer = setTimeout(() => onKeys(decoder.flush()), escapeMs);
    if (keys.length > 0) onKeys(keys);
  };
  const onError = (): void => onEnd();
  if (input.isTTY === true) input.setRawMode?.(true);
  input.setEncoding('utf8');
  input.on('data', onData);
  input.on('end', onEnd);
  input.on('close', onEnd);
  input.on('error', onError);
  input.resume();
  return () => {
    if (timer !== null) clearTimeout(timer);
    input.off('data', onData);
    input.off('end', onEnd);
    input.off('close', onEnd);
    // The error listener stays: a dying terminal may report once more after the end.
    if (input.isTTY === true) {
      try {
        input.setRawMode?.(false);
      } catch {
        // The terminal is gone; there is no mode left to set.
      }
    }
    input.pause();
  };
}
