/**
 * `take-lock <path> <witness> <rounds>`: takes the lock again and again. The witness is a file made with O_EXCL while
 * the lock is held: two holders at once would fail to make it.
 */
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { withLock } from '../../../src/store/lock.ts';

const [path = '', witness = '', rounds = '1'] = process.argv.slice(2);
process.stdout.write('ready\n');
for (let round = 0; round < Number(rounds); round += 1) {
  await withLock(path, () => {
    closeSync(openSync(witness, 'wx'));
    unlinkSync(witness);
  });
}
process.stdout.write('done\n');
