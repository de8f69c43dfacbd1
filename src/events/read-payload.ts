/** The payload from stdin, at most so many bytes, without waiting for a terminal or for a pipe that stays silent. */
import { fstatSync, readSync } from 'node:fs';

/** More is cut, and so is malformed; runtimes send about 1 MB at most. */
const limitBytes = 16_777_216;
const patienceMs = 2_000;

export function readPayload(fd = 0): string {
  // A terminal, or /dev/null; Node's own module for terminals takes as long to load as all the rest does.
  if (fstatSync(fd).isCharacterDevice()) return '';
  let bytes = Buffer.allocUnsafeSlow(65_536);
  let size = 0;
  let waitedMs = 0;
  while (size < limitBytes) {
    if (size === bytes.length) bytes = Buffer.concat([bytes], size * 4);
    try {
      const length = readSync(fd, bytes, size, bytes.length - size, null);
      if (length === 0) break;
      size += length;
    } catch (error) {
      // Some runtimes hand over a non-blocking socket.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waitedMs >= patienceMs) break;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      waitedMs += 5;
    }
  }
  return bytes.toString('utf8', 0, size);
}
