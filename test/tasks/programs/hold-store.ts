/** `hold-store <database> <ms>`: has the pen for so long, as a backup or a stuck program would. */
import { loadSqlite } from '../../../src/store/tasks/native.ts';

const [path = '', ms = ''] = process.argv.slice(2);
const database = (await loadSqlite())(path);
database.exec('BEGIN IMMEDIATE');
process.stdout.write('held\n');
setTimeout(() => database.exec('COMMIT'), Number(ms));
