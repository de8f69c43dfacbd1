/**
 * `claim-tasks <state folder> <name> <leaseMs> <workMs> <log>`: claims tasks and finishes them until none is pending or
 * held. Each claim and each accepted end is a line in the log, on the disk before the next step.
 */
import { appendFileSync } from 'node:fs';
import { statePaths } from '../../../src/store/paths.ts';
import { openTasks } from '../../../src/store/tasks/tasks.ts';

const [stateDir = '', holder = '', leaseMs = '', workMs = '', log = ''] = process.argv.slice(2);
const store = await openTasks({ stateDir, path: statePaths(stateDir).swarmDb }, { make: false });
if (store === null) throw new Error('no tasks');
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const write = (line: string): void => appendFileSync(log, `${line}\n`);
process.stdout.write('ready\n');

for (;;) {
  const claimed = store.claim({ holder, instance_id: null, leaseMs: Number(leaseMs) }, Date.now());
  if ('refused' in claimed) {
    const { pending, claimed: held } = store.counts(null, Date.now());
    if (pending + held === 0) break;
    await pause(20);
    continue;
  }
  const { seq, token } = claimed.task;
  write(`claimed ${seq} ${token}`);
  if (Number(workMs) > 0) await pause(Math.random() * Number(workMs));
  const ended = store.change(seq, { kind: 'finish', token, result: holder }, Date.now());
  write(
    `${'task' in ended && !('refused' in ended) ? 'done' : `refused:${'refused' in ended ? ended.refused : ''}`} ${seq} ${token}`,
  );
}
store.close();
