/** `swarm N agents …` at the head of a prompt: the tasks that wait become this swarm's, led by the agent that was told. */
import { dirname } from 'node:path';
import { startByPrompt } from './start-by-prompt.ts';

export const swarmHandler = startByPrompt('swarm', 30, async ({ stateDir, env }, start) => {
  const { openTown } = await import('../../town/context.ts');
  const { startSwarm } = await import('../../town/swarm/start.ts');
  return startSwarm(await openTown({ cwd: dirname(dirname(stateDir)), env }), start);
});
