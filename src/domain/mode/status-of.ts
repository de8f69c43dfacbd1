import { modes } from './modes.ts';
import { hardMaximum } from './names.ts';
import type { ModeRecord, ModeStatus } from './record.ts';

/** What the row and `gastown mode status` show of a run. */
export function modeStatusOf(record: ModeRecord): ModeStatus {
  const { phase, story } = modes[record.mode].show(record);
  const most = Math.min(record.max_iterations, hardMaximum);
  return {
    mode: record.mode,
    session_id: record.session_id,
    run_id: record.run_id,
    active: record.active,
    iteration: record.iteration,
    max_iterations: most,
    phase,
    story,
    budget: Math.max(0, most - record.iteration),
    detail: detailOf(record),
  };
}

function detailOf({ ended, held, next }: ModeRecord): string {
  if (ended !== null) return `${ended.kind}: ${ended.why}`;
  if (held !== null && next === null) return `let go: ${held.why.replaceAll('_', ' ')}`;
  switch (next?.kind) {
    case 'say':
      return next.delivery === null ? 'next prompt waits' : `next prompt ${next.delivery.kind}: ${next.delivery.why}`;
    case 'run':
      return `${next.running ? 'runs' : 'waits to run'} ${next.commands.map(({ name }) => name).join(', ')}`;
    case 'review':
      return `waits for ${next.reviewer ?? 'a human'}: review ${next.request_id}`;
    case 'workers':
      return 'gives out beads';
    default:
      return 'at work';
  }
}
