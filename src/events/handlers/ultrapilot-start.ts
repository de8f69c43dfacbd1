/** "ultrapilot …" at the head of a prompt: this session plans, and a human reads the plan before anything begins. */
import { join } from 'node:path';
import { shellWord } from '../../domain/quote.ts';
import { lock, startByPrompt } from './start-by-prompt.ts';

export const ultrapilotStartHandler = startByPrompt('ultrapilot', 30, async ({ store, now }, start) => {
  const { beginPlanning } = await import('../../town/ultrapilot/plan.ts');
  const names = [...store.agents.readAll().values()].flatMap((read) =>
    read.kind === 'ok' && read.value.role === 'polecat' ? [read.value.agent_id] : [],
  );
  return beginPlanning(store, start, { names, gt: shellWord(join(store.paths.binDir, 'gt')), now, lock });
});
