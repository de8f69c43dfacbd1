/** Execution modes in a row and in the detail: iteration, phase, story, budget. */
import type { ModeStatus } from '../../domain/mode/record.ts';
import type { AgentView } from '../../domain/view.ts';
import { rowText } from '../text/width.ts';

/** The one that is heard: the first that runs, else the first that failed. */
export const modeOf = ({ modes }: AgentView): ModeStatus | null =>
  modes.find(({ active }) => active) ?? modes[0] ?? null;

/** `ralph 3/100 US-002 2/3`: short enough for a row. */
export function modeInRow(mode: ModeStatus): string {
  if (!mode.active) return `${mode.mode} ${mode.detail}`;
  const where = mode.mode === 'ralph' ? (mode.story ?? mode.phase) : mode.phase;
  return rowText([mode.mode, `${mode.iteration}/${mode.max_iterations}`, where ?? ''].filter(Boolean).join(' '));
}

/** Everything that is known of it, in order of importance. */
export const modeInDetail = (mode: ModeStatus, dot: string): string =>
  rowText(
    [
      mode.active ? `${mode.mode} ${mode.iteration}/${mode.max_iterations}` : `${mode.mode} is over`,
      mode.phase ?? '',
      mode.story ?? '',
      mode.active ? `${mode.budget} left` : '',
      mode.detail,
    ]
      .filter(Boolean)
      .join(` ${dot} `),
  );
