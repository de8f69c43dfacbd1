/** The deacon's round of an ultrapilot: it is looked after, and once all parts are over, joined. */
import { GastownError } from '../../domain/errors.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { isOver } from '../../domain/ultrapilot/run.ts';
import type { Town } from '../context.ts';
import { joinParts, tellHeld } from './join.ts';
import { serveUltrapilot } from './serve.ts';

/** Joined once by itself; what was held back then waits for a human, who hears of it as well where nothing can be joined. */
export async function patrolUltrapilot(town: Town, joint: ModeRecord): Promise<void> {
  const state = await serveUltrapilot(town, joint);
  if (state.stage !== 'work' || !state.parts.every(isOver)) return;
  try {
    await joinParts(town, { by: 'deacon' });
  } catch (error) {
    if (error instanceof GastownError) await tellHeld(town, joint, `nothing can be joined: ${error.line}`);
    throw error;
  }
}
