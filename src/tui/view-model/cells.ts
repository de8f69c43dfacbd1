/** One agent as cells: what each column says, and in which tone. */
import type { AgentView } from '../../domain/view.ts';
import { workOf } from '../state/context.ts';
import { needsHuman } from '../state/order.ts';
import type { Tone } from '../text/line.ts';
import { rowText } from '../text/width.ts';
import type { Column } from './columns.ts';
import type { Drawing } from './drawing.ts';
import { insightInRow } from './handlers.ts';
import { modeInRow, modeOf } from './modes.ts';
import { resultGlyph, resultTones, stateTones } from './tones.ts';

export interface Cell {
  text: string;
  tone: Tone;
}

const cell = (text: string, tone: Tone = 'plain'): Cell => ({ text, tone });

/** The newest answer to an action on this agent: of this pane, or of anyone as the journal tells it. */
export function lastReceipt(agent: AgentView, { ui }: Pick<Drawing, 'ui'>): AgentView['receipt'] {
  const own = ui.receipts.get(agent.agent_id) ?? null;
  if (own === null || agent.receipt === null) return own ?? agent.receipt;
  return own.at >= agent.receipt.at ? own : agent.receipt;
}

export function cellOf(agent: AgentView, { id, width }: Column, drawing: Drawing): Cell {
  const { glyphs } = drawing.look;
  switch (id) {
    case 'agent':
      return cell(agent.agent_id, agent.agent_id === drawing.ui.selected ? 'title' : 'plain');
    case 'flags':
      return flags(agent, drawing);
    case 'state':
      return cell(agent.state, stateTones[agent.state]);
    case 'hook':
      return hook(agent);
    case 'bead':
      return cell(workOf(agent)?.bead_id ?? '', 'dim');
    case 'work':
      return work(agent, drawing);
    case 'why':
      return cell(evidence(agent, drawing), 'dim');
    case 'age':
      return cell(drawing.ages.of(agent.activity_at), 'dim');
    case 'pulse':
      return pulse(agent, width, glyphs.bars);
    case 'tries':
      return agent.nudges + agent.restarts === 0
        ? cell('')
        : cell(`${agent.nudges}/${agent.restarts}`, agent.restarts > 0 ? 'wait' : 'dim');
    case 'runtime':
      return cell(agent.runtime, 'dim');
    case 'last':
      return last(agent, drawing);
  }
}

function flags(agent: AgentView, drawing: Drawing): Cell {
  const { glyphs } = drawing.look;
  const mail = agent.pending_nudge === null ? ' ' : glyphs.mail;
  if (drawing.ui.running.has(agent.agent_id)) return cell(mail + glyphs.running, 'accent');
  const receipt = lastReceipt(agent, drawing);
  if (receipt === null) return cell(mail, 'wait');
  const tone = agent.pending_nudge === null ? resultTones[receipt.result.kind] : 'wait';
  return cell(mail + resultGlyph(receipt.result.kind, glyphs), tone);
}

function hook(agent: AgentView): Cell {
  const { status } = agent.hook;
  if (status === 'corrupt') return cell(status, 'alarm');
  return cell(status, status === 'completed' ? 'good' : status === 'empty' ? 'dim' : 'plain');
}

/** The title; for an agent that waits for somebody, what it waits for. */
function work(agent: AgentView, drawing: Drawing): Cell {
  const running = drawing.ui.running.get(agent.agent_id);
  if (running !== undefined) return cell(`${running}${drawing.look.glyphs.ellipsis}`, 'accent');
  if (agent.hook.status === 'corrupt') return cell('hook file corrupt', 'alarm');
  const mode = modeOf(agent);
  if (mode !== null && !needsHuman(agent)) return cell(modeInRow(mode), mode.active ? 'accent' : 'alarm');
  const detail = rowText(agent.detail);
  if (detail !== '' && (needsHuman(agent) || agent.hook.status === 'empty')) {
    return cell(detail, agent.hook.status === 'empty' && !needsHuman(agent) ? 'dim' : 'plain');
  }
  return cell(rowText(workOf(agent)?.title ?? '') || detail, 'plain');
}

/** The strongest evidence, with its age where something has begun and goes on. */
function evidence(agent: AgentView, drawing: Drawing): string {
  const [strongest] = agent.evidence;
  const detail = [needsHuman(agent) ? '' : rowText(agent.detail), insightInRow(agent)].filter(Boolean).join(', ');
  if (strongest === undefined) return detail;
  const text = rowText(strongest.text);
  const goesOn = strongest.age_s !== null && /^(runs|no event) /.test(text);
  const age = goesOn ? ` ${drawing.ages.of(drawing.seenAt(agent) - (strongest.age_s ?? 0) * 1000)}` : '';
  // What it runs stands in the detail already.
  if (detail.endsWith(text)) return `${strongest.source}: ${detail}${age}`;
  return [`${strongest.source}: ${text}${age}`, detail].filter(Boolean).join(', ');
}

/** Steps that tell one sign of life from many; the same for every row, so that rows can be compared. */
const barSteps = [0, 1, 2, 3, 5, 8, 13] as const;

function pulse(agent: AgentView, width: number, bars: readonly string[]): Cell {
  if (agent.pane_id === null) return cell('');
  const text = agent.pulse
    .slice(-width)
    .map((signs) => bars[barSteps.filter((step) => signs >= step).length] ?? '')
    .join('');
  return cell(text, agent.pulse.slice(-3).some((signs) => signs > 0) ? 'plain' : 'dim');
}

/** The journal names actions by their kind: `priority_change`. */
export const actionWords = (action: string): string => rowText(action).replaceAll('_', ' ');

function last(agent: AgentView, drawing: Drawing): Cell {
  const running = drawing.ui.running.get(agent.agent_id);
  if (running !== undefined) return cell(`${running}${drawing.look.glyphs.ellipsis}`, 'accent');
  const receipt = lastReceipt(agent, drawing);
  if (receipt === null) return cell('');
  const { kind } = receipt.result;
  return cell(`${actionWords(receipt.action)} ${kind}`, resultTones[kind]);
}
