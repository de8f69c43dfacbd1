/** `set-hook <stateDir> <rounds> <name>`: in every round, tries to set the hook of `agent-<round>`; prints the wins. */
import { GastownError } from '../../../src/domain/errors.ts';
import { changeHook } from '../../../src/store/hooks.ts';
import { openStore } from '../../../src/store/store.ts';

const [stateDir = '', rounds = '0', name = ''] = process.argv.slice(2);
const store = openStore(stateDir);
const wins: number[] = [];
for (let round = 0; round < Number(rounds); round += 1) {
  try {
    const change = { op: 'set', bead_id: `gt-${name}`, title: `round ${round} by ${name}` } as const;
    await changeHook(store, `agent-${round}`, change, { kind: 'sling' }, Date.now());
    wins.push(round);
  } catch (error) {
    if (!(error instanceof GastownError && error.exit === 5)) throw error;
  }
}
console.log(JSON.stringify(wins));
