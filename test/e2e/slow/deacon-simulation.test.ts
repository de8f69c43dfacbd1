/** The bar of the patrol: 100,000 random histories, deaths of the deacon at every step among them. */
import { afterAll, test } from 'vitest';
import { holdHistories, removeSimulations, simulationWith } from '../../deacon/simulation/faulty.ts';

afterAll(removeSimulations);

test('100,000 histories: no healthy agent restarted, no fourth restart, one escalation an episode, nothing overdue', async () => {
  holdHistories(await simulationWith(null), 100_000);
}, 240_000);
