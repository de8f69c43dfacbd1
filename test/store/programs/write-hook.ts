/** `write-hook <stateDir> <times> <name>`: writes the same hook over and over, each time a payload of its own length. */
import { toIso } from '../../../src/domain/time.ts';
import { openStore } from '../../../src/store/store.ts';

const [stateDir = '', times = '0', name = ''] = process.argv.slice(2);
const store = openStore(stateDir);
for (let count = 0; count < Number(times); count += 1) {
  await store.hooks.update('polecat-alpha', (hook) => ({
    ...hook,
    agent_id: 'polecat-alpha',
    status: 'active',
    work_item: { bead_id: 'gt-abc12', title: name.repeat(1 + ((count * 37) % 90)), assigned_at: toIso(0) },
    last_activity: toIso(count),
    writes: (typeof hook?.['writes'] === 'number' ? hook['writes'] : 0) + 1,
  }));
}
console.log('done');
