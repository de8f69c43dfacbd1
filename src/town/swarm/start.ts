/** `gastown mode start swarm <agent>`: the tasks that wait become this swarm's, and idle agents are taken in, the leader first. */
import { usage } from '../../domain/errors.ts';
import { noCounts, swarmState } from '../../domain/swarm.ts';
import { isFinished } from '../../domain/task.ts';
import type { Town } from '../context.ts';
import { cancelModes } from '../modes/cancel.ts';
import { type ModeStart, type ModeStarted, startMode } from '../modes/start.ts';
import { withNewTasks } from '../tasks/with-tasks.ts';
import { serveSwarm } from './serve.ts';

const standardWorkers = 5;

/**
 * Throws exit 1 without tasks or without the native module, exit 3 where the leader cannot take part, exit 4 for a store
 * that cannot be used, exit 5 while another swarm runs. Nothing has begun then.
 */
export async function startSwarm(town: Town, start: ModeStart): Promise<ModeStarted> {
  const workers = start.options?.workers ?? town.config.modes?.workers ?? standardWorkers;
  return withNewTasks(town, async (tasks) => {
    const now = town.clock();
    if (isFinished(tasks.counts(null, now))) {
      throw usage('there is no task for a swarm', 'add some first: gastown task add "…", or gastown task import FILE');
    }
    const joint = await startMode(
      town.store,
      {
        ...start,
        options: { ...start.options, workers, state: { ...swarmState({ workers, joined: [] }, noCounts, []) } },
        joint: true,
        way: null,
      },
      now,
    );
    try {
      tasks.adopt(joint.record.run_id, now);
      await serveSwarm(town, tasks, joint.record, { leader: true });
      return joint;
    } catch (error) {
      // Half a swarm would hold the place of the next.
      await cancelModes(
        town.store,
        { agentId: start.agentId, sessionId: joint.record.session_id, mode: 'swarm', by: 'gastown' },
        now,
      );
      throw error;
    }
  });
}
