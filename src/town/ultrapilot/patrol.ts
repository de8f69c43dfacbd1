/** The deacon's round of an ultrapilot: it is looked after, and once all parts are over, joined. */
import type { ModeRecord } from '../../domain/mode/record.ts';
import { isOver } from '../../domain/ultrapilot/run.ts';
import type { Town } from '../context.ts';
import { joinParts } from './join.ts';
import { serveUltrapilot } from './serve.ts';

/** Joined once by itself; what was held back then waits for a human. */
export async function patrolUltrapilot(town: Town, joint: ModeRecord): Promise<void> {
  const state = await serveUltrapilot(town, joint);
  if (state.stage === 'work' && state.parts.every(isOver)) await joinParts(town, { by: 'deacon' });
}
