/** Modes as the keys of the control pane start and cancel them. */
import { refused, usage } from '../../domain/errors.ts';
import { isMode, modeNames } from '../../domain/mode/names.ts';
import { suggestion } from '../../domain/nearest.ts';
import type { Town } from '../context.ts';
import { beginMode } from './begin.ts';
import { cancelModes } from './cancel.ts';

/** `ralph make all tests pass`, `pipeline write it | check it`, `ultraqa npm test`. Answers one line. */
export async function startByText(town: Town, agentId: string, text: string): Promise<string> {
  const [word = '', ...rest] = text.trim().split(/\s+/);
  const mode = word.toLowerCase().replace(/[:,]$/, '');
  if (!isMode(mode)) {
    throw usage(`${JSON.stringify(word.slice(0, 30))} is no mode`, suggestion(mode, modeNames));
  }
  const goal = rest.join(' ');
  await beginMode(town, {
    mode,
    agentId,
    goal,
    by: 'operator',
    options: {
      ...(mode === 'pipeline' ? { stages: goal.split('|') } : {}),
      ...(mode === 'ultraqa' && goal !== '' ? { command: goal } : {}),
    },
  });
  return `${mode} begins; its first prompt is typed when ${agentId} is idle`;
}

export async function cancelOfAgent(town: Town, agentId: string): Promise<string> {
  const { cancelled } = await cancelModes(town.store, { agentId, mode: null, by: 'operator' }, town.clock());
  if (cancelled.length === 0) throw refused(`no mode of ${agentId} is active`, 'nothing was changed');
  return `cancelled ${cancelled.map(({ mode }) => mode).join(', ')}`;
}
