/** Whether this file system tells of changes at all: mounted drives and some containers never do (field report 30). */
import { unlinkSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempNameFor } from './atomic-write.ts';

/** Makes a file in `folder` (which must exist) and waits up to `waitMs` for the event. False: none came, or no watch. */
export async function fileEventsWork(folder: string, waitMs = 2_000): Promise<boolean> {
  const name = tempNameFor('probe');
  return new Promise((answer) => {
    const finish = (works: boolean): void => {
      clearTimeout(timer);
      watcher?.close();
      try {
        unlinkSync(join(folder, name));
      } catch {
        // It was never made.
      }
      answer(works);
    };
    let watcher: ReturnType<typeof watch> | undefined;
    const timer = setTimeout(() => finish(false), waitMs);
    try {
      watcher = watch(folder, (_type, changed) => {
        if (changed === name) finish(true);
      });
      watcher.on('error', () => finish(false));
      writeFileSync(join(folder, name), '', { mode: 0o600 });
    } catch {
      finish(false);
    }
  });
}
