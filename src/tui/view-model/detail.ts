/** The selected agent in full: state and what tells it, hook, place, the last action. */
import { parseTime } from '../../domain/time.ts';
import type { AgentView } from '../../domain/view.ts';
import { selectedAgent, workOf } from '../state/context.ts';
import { resultText } from '../state/happenings.ts';
import { needsHuman } from '../state/order.ts';
import { type Line, type Part, part } from '../text/line.ts';
import { rowText, wrapLines } from '../text/width.ts';
import { actionWords, lastReceipt } from './cells.ts';
import { type Drawing, rule } from './drawing.ts';
import { contextParts, subagentLines } from './handlers.ts';
import { modeInDetail, modeOf } from './modes.ts';
import { resultGlyph, resultTones, stateTones } from './tones.ts';

const labelWidth = 10;

/** At most `height` lines, the heading first. What an agent asks is shown whole as far as the lines go. */
export function detailLines(drawing: Drawing, height: number): Line[] {
  const agent = selectedAgent(drawing);
  if (agent === null || height < 2) return [];
  const room = height - 1;
  const others = [
    modeLine(agent, drawing),
    contextLine(agent, drawing),
    ...subagentsOf(agent, drawing),
    evidenceLine(agent, drawing),
    hookLine(agent, drawing),
    placeLine(agent, drawing),
  ].filter((line) => line !== null);
  const last = lastLine(agent, drawing);
  const rest = last === null ? others : [...others, last];
  const textLines = Math.max(1, needsHuman(agent) ? room - Math.min(rest.length, 2) : room - rest.length);
  return [headingLine(agent, drawing), ...stateLines(agent, drawing, textLines), ...rest].slice(0, height);
}

/** Lines that the whole detail of the selected agent would take. */
export const detailWish = (drawing: Drawing): number => detailLines(drawing, 40).length;

/** One line where there is no room for the detail: what the selected agent waits for or works on. */
export function summaryLine(drawing: Drawing): Line {
  const agent = selectedAgent(drawing);
  if (agent === null) return [];
  const work = workOf(agent);
  const text = rowText(agent.detail) || (work === null ? '' : `${work.bead_id} ${rowText(work.title)}`);
  return [part(` ${rowText(text)}`, needsHuman(agent) ? 'plain' : 'dim')];
}

function headingLine(agent: AgentView, drawing: Drawing): Line {
  const facts = [
    agent.role,
    agent.runtime,
    agent.strategy ?? '',
    agent.pane_id ?? 'no pane',
    agent.pid === null ? '' : `pid ${agent.pid}`,
  ];
  return rule(drawing, [part(agent.agent_id, 'title')], facts.filter(Boolean).join(` ${drawing.look.glyphs.dot} `));
}

const labelled = (label: string, ...parts: Part[]): Line => [part(` ${label.padEnd(labelWidth)}`, 'dim'), ...parts];

function stateLines(agent: AgentView, drawing: Drawing, limit: number): Line[] {
  const { glyphs } = drawing.look;
  const since = parseTime(agent.since);
  const age = since === null ? '' : ` ${drawing.ages.of(since)}`;
  const state = part(`${agent.state}${age}`, stateTones[agent.state]);
  const note = agent.freshness?.proposal ?? agent.freshness?.note ?? '';
  const told = rowText(agent.detail);
  // The hook line names the bead already.
  const own = told === workOf(agent)?.bead_id ? '' : told;
  const next = agent.state === 'done' ? 'c clears the hook: the result is verified then' : '';
  const detail = [own, next, agent.detail.includes(note) ? '' : rowText(note)].filter(Boolean).join('; ');
  const indent = labelWidth + 1;
  const whole = `${agent.state}${age}  ${detail}`;
  if (indent + whole.length <= drawing.width || limit === 1) {
    return [labelled('state', state, part(detail === '' ? '' : `  ${detail}`))];
  }
  const wrapped = wrapLines(detail, drawing.width - indent - 1, limit - 1, glyphs.ellipsis);
  return [labelled('state', state), ...wrapped.map((text) => [part(' '.repeat(indent)), part(text)])];
}

function evidenceLine(agent: AgentView, drawing: Drawing): Line | null {
  if (agent.evidence.length === 0) return null;
  const seen = drawing.seenAt(agent);
  const parts = agent.evidence.flatMap(({ source, text, age_s }, index) => {
    const age = age_s === null ? '' : ` ${drawing.ages.of(seen - age_s * 1000)}`;
    return [
      part(index > 0 ? ` ${drawing.look.glyphs.dot} ` : '', 'dim'),
      part(`${source} `, 'dim'),
      part(`${rowText(text)}${age}`),
    ];
  });
  return labelled('evidence', ...parts);
}

function modeLine(agent: AgentView, { look }: Drawing): Line | null {
  const mode = modeOf(agent);
  return mode === null
    ? null
    : labelled('mode', part(modeInDetail(mode, look.glyphs.dot), mode.active ? 'accent' : 'alarm'));
}

function contextLine(agent: AgentView, drawing: Drawing): Line | null {
  const parts = contextParts(agent, drawing);
  return parts === null ? null : labelled('context', ...parts);
}

const subagentLimit = 6;

const subagentsOf = (agent: AgentView, drawing: Drawing): Line[] =>
  subagentLines(agent, drawing, subagentLimit).map((parts, index) =>
    labelled(index === 0 ? 'subagents' : '', ...parts),
  );

function hookLine(agent: AgentView, drawing: Drawing): Line {
  if (agent.hook.status === 'corrupt') {
    const copy = agent.hook.quarantine === null ? '' : `; copy in ${rowText(agent.hook.quarantine)}`;
    return labelled('hook', part(`the file is corrupt${copy}: mend or remove it`, 'alarm'));
  }
  const work = workOf(agent);
  if (work === null) return labelled('hook', part('empty', 'dim'));
  const assigned = parseTime(agent.hook.work_item?.assigned_at);
  const tries = [
    agent.nudges > 0 ? `${agent.nudges} nudge${agent.nudges === 1 ? '' : 's'}` : '',
    agent.restarts > 0 ? `${agent.restarts} restart${agent.restarts === 1 ? '' : 's'}` : '',
  ].filter(Boolean);
  return labelled(
    'hook',
    part(`${agent.hook.status} `, agent.hook.status === 'completed' ? 'good' : 'plain'),
    part(`${work.bead_id} `, 'dim'),
    part(rowText(work.title)),
    part(`  set ${drawing.ages.of(assigned)} ago${tries.length > 0 ? `, ${tries.join(', ')}` : ''}`, 'dim'),
  );
}

function placeLine(agent: AgentView, drawing: Drawing): Line | null {
  if (agent.worktree === null && agent.branch === null) return null;
  const root = `${drawing.view.town.root}/`;
  const tree = agent.worktree?.startsWith(root) === true ? agent.worktree.slice(root.length) : (agent.worktree ?? '');
  const branch = agent.branch === null ? '' : ` on ${rowText(agent.branch)}`;
  return labelled('worktree', part(`${rowText(tree) || 'main checkout'}${branch}`, 'dim'));
}

function lastLine(agent: AgentView, drawing: Drawing): Line | null {
  const parts: Part[] = [];
  const receipt = lastReceipt(agent, drawing);
  if (receipt !== null) {
    const { kind } = receipt.result;
    const glyph = resultGlyph(kind, drawing.look.glyphs);
    parts.push(
      part(`${glyph} ${actionWords(receipt.action)}: ${rowText(resultText(receipt.result))}`, resultTones[kind]),
    );
    parts.push(part(`  ${drawing.ages.of(receipt.at)}`, 'dim'));
  }
  if (agent.pending_nudge !== null) {
    const sep = parts.length > 0 ? '  ' : '';
    parts.push(part(`${sep}${drawing.look.glyphs.mail} waits: ${rowText(agent.pending_nudge.why)}`, 'wait'));
  }
  return parts.length === 0 ? null : labelled('last', ...parts);
}
