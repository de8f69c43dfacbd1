/** One random history of one agent and its deacon, told by a seed. */
import { Deacon } from './deacon.ts';
import { Oracle } from './oracle.ts';
import { World } from './world.ts';

export interface Told {
  violation: string | null;
  counts: Oracle['counts'];
}

/** Runs history `seed` to its end, or to the first violation of what must hold. */
export function tellHistory(seed: number): Told {
  const world = new World(seed);
  const oracle = new Oracle(world);
  const deacon = new Deacon(world, oracle);
  while (world.mono < world.end && oracle.violation === null) {
    const change = world.nextChange();
    world.mono = Math.max(world.mono, Math.min(change, deacon.wakeAt, world.end));
    oracle.watch();
    if (change <= world.mono) {
      const { offset } = world;
      const disturbed = world.step();
      if (world.offset !== offset) oracle.clockMoved();
      if (disturbed === 'kill') deacon.kill();
      if (disturbed === 'reset') deacon.reset();
      oracle.watch();
      deacon.changed();
    }
    if (deacon.wakeAt <= world.mono) deacon.wake();
  }
  return { violation: oracle.violation, counts: oracle.counts };
}
