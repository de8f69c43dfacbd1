/** States and results as tones. Red needs a human now, yellow waits or soon will, green is finished. */
import type { BeadStatus } from '../../domain/bead.ts';
import type { AgentState } from '../../domain/status.ts';
import type { ActionResult } from '../../domain/view.ts';
import type { Glyphs } from '../text/glyphs.ts';
import type { Tone } from '../text/line.ts';

export const stateTones: Record<AgentState, Tone> = {
  asking: 'alarm',
  dialog: 'alarm',
  escalated: 'alarm',
  failed: 'alarm',
  dead: 'alarm',
  crashlooping: 'alarm',
  stalled: 'wait',
  limited: 'wait',
  unknown: 'wait',
  backoff: 'wait',
  pending: 'plain',
  spawning: 'plain',
  working: 'plain',
  done: 'good',
  idle: 'dim',
  paused: 'dim',
  stopped: 'dim',
};

export const beadTones: Record<BeadStatus, Tone> = {
  open: 'plain',
  hooked: 'plain',
  in_progress: 'plain',
  done: 'good',
  merged: 'good',
  failed: 'alarm',
  blocked: 'wait',
};

export const resultTones: Record<ActionResult['kind'], Tone> = {
  done: 'good',
  verified: 'good',
  unverified: 'wait',
  queued: 'wait',
  failed: 'alarm',
};

export const resultGlyph = (kind: ActionResult['kind'], glyphs: Glyphs): string =>
  kind === 'done' ? glyphs.verified : glyphs[kind];
