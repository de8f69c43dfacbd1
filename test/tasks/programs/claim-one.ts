/** `claim-one <state folder> <name> <waitMs> [add|stay]`: claims one task and says which; `stay` lives on with it open. */
import { GastownError } from '../../../src/domain/errors.ts';
import { taskId } from '../../../src/domain/task.ts';
import { statePaths } from '../../../src/store/paths.ts';
import { openTasks } from '../../../src/store/tasks/tasks.ts';

const [stateDir = '', holder = '', waitMs = '', what = ''] = process.argv.slice(2);
try {
  const store = await openTasks({ stateDir, path: statePaths(stateDir).swarmDb }, { waitMs: Number(waitMs) });
  if (store === null) throw new Error('not made');
  if (what === 'add') store.add([{ title: holder, description: '', priority: 'P2' }], null, Date.now());
  const claimed = store.claim({ holder, instance_id: null, leaseMs: 300_000 }, Date.now());
  process.stdout.write(`${'refused' in claimed ? claimed.refused : taskId(claimed.task)}\n`);
  if (what === 'stay') setInterval(() => {}, 1_000);
  else store.close();
} catch (error) {
  if (!(error instanceof GastownError)) throw error;
  process.stderr.write(`${error.line}\n`);
  process.exitCode = error.exit;
}
