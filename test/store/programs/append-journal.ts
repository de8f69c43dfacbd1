/** `append-journal <stateDir> <times> <name>`: appends entries that a small limit rotates often. */
import { toIso } from '../../../src/domain/time.ts';
import { appendJournal } from '../../../src/store/journal.ts';
import { statePaths } from '../../../src/store/paths.ts';

const [stateDir = '', times = '0', name = ''] = process.argv.slice(2);
const paths = statePaths(stateDir);
for (let count = 0; count < Number(times); count += 1) {
  appendJournal(paths, { at: toIso(0), kind: 'test', by: name, message: `${name}${count}` }, 10_000);
}
