/** `hold-lock <path>`: takes the lock, says so, and never lets go of it. */
import { withLock } from '../../../src/store/lock.ts';

await withLock(process.argv[2] ?? '', () => {
  process.stdout.write('held\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
});
