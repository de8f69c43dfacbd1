/** The live preview of the selected agent's pane: its last lines. */

import { selectedAgent } from '../state/context.ts';
import { type Line, part } from '../text/line.ts';
import { paneText } from '../text/width.ts';
import { type Drawing, rule } from './drawing.ts';

export function peekLines(drawing: Drawing, height: number): Line[] {
  const agent = selectedAgent(drawing);
  if (agent === null || height < 2) return [];
  const { peeked } = drawing.ui;
  const heading = rule(drawing, [part(`${agent.agent_id} `, 'title'), part('live', 'dim')], 'p or esc closes');
  if (peeked === null || peeked.agent !== agent.agent_id) return [heading, [part('  reading the pane', 'dim')]];
  if (peeked.error !== null) return [heading, [part(`  ${peeked.error}`, 'alarm')]];
  const lines = [...peeked.lines];
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  return [heading, ...lines.slice(-(height - 1)).map((text): Line => [part(`  ${paneText(text)}`)])];
}
