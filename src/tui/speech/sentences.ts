/** What changed since the last time, as sentences. Pure. */
import type { AgentView } from '../../domain/view.ts';
import { selectedAgent, workOf } from '../state/context.ts';
import { pickerChoices } from '../state/dialog-keys.ts';
import { gateRows } from '../state/gate-actions.ts';
import type { Dialog, UiState } from '../state/ui-state.ts';
import { toAscii } from '../text/ascii.ts';
import type { Line } from '../text/line.ts';
import { rowText } from '../text/width.ts';
import type { Drawing } from '../view-model/drawing.ts';
import { stateCounts, treeName } from '../view-model/header.ts';
import { modeInDetail } from '../view-model/modes.ts';
import { gateLine, screenLines } from '../view-model/screens.ts';
import { readerSentences } from './reader-sentences.ts';

/** What was said last, so that nothing is said twice. */
export interface Spoken {
  town: string;
  agents: ReadonlyMap<string, string>;
  banners: ReadonlySet<string>;
  ui: UiState | null;
  choice: string;
}

export const silence: Spoken = { town: '', agents: new Map(), banners: new Set(), ui: null, choice: '' };

/** Lines of another screen that are read aloud at once. */
const screenLimit = 100;

export function sentences(before: Spoken, drawing: Drawing): { lines: string[]; spoken: Spoken } {
  const { view, ui, look } = drawing;
  const lines: string[] = [];
  const town = townSentence(drawing);
  if (before.town === '') lines.push(`Town ${rowText(view.town.name)}. ? lists the keys.`);
  if (town !== before.town) lines.push(town);

  const banners = new Set(bannerSentences(drawing));
  for (const text of banners) if (!before.banners.has(text)) lines.push(text);

  const agents = new Map(view.agents.map((agent) => [agent.agent_id, agentSentence(agent)]));
  for (const [id, text] of agents) if (before.agents.get(id) !== text) lines.push(text);
  for (const id of before.agents.keys()) if (!agents.has(id)) lines.push(`${id} is gone.`);

  const choice = ui.dialog === null ? '' : choiceSentence(drawing, ui.dialog);
  lines.push(...uiSentences(before, drawing, choice));
  const spoken: Spoken = { town, agents, banners, ui, choice };
  const clean = lines.map(rowText).filter(Boolean);
  return { lines: look.ascii ? clean.map(toAscii) : clean, spoken };
}

function townSentence(drawing: Drawing): string {
  const { view } = drawing;
  const counts = stateCounts(drawing)
    .map(({ text }) => text)
    .join('')
    .replaceAll(` ${drawing.look.glyphs.dot} `, ', ');
  const armed = view.handoffs.filter((handoff) => handoff.armed).map(({ tree }) => treeName(tree));
  const parts = [
    `${view.demo ? 'Demo with simulated agents. ' : ''}${view.agents.length} agents: ${counts || 'none'}`,
    view.deacon.running ? 'deacon on' : 'no deacon',
    view.mail.unread > 0 ? `${view.mail.unread} unread mail` : '',
    armed.length > 0 ? `handoff armed in ${armed.join(', ')}` : '',
    ...view.requests.map(({ agent_id }) => `${agent_id} asks to dissolve a handoff`),
  ];
  return `${parts.filter(Boolean).join('; ')}.`;
}

function bannerSentences({ view }: Drawing): string[] {
  const open = view.escalations.filter((each) => each.acknowledged_at === null);
  return [
    ...(view.town.running && view.town.server === 'gone'
      ? ['The tmux server is gone. Agents are not running; nothing on disk is lost.']
      : []),
    ...open.map(({ agent_id, message }) => `Escalation: ${agent_id === null ? '' : `${agent_id}: `}${message}`),
    ...view.notices.map((notice) => `Notice: ${notice}`),
  ];
}

function agentSentence(agent: AgentView): string {
  const work = workOf(agent);
  const parts = [
    `${agent.agent_id}: ${agent.state}`,
    agent.detail,
    agent.hook.status === 'empty' ? 'hook empty' : `hook ${agent.hook.status}`,
    work === null ? '' : `${work.bead_id} ${work.title}`,
    ...agent.modes.map((mode) => modeInDetail(mode, ',')),
    agent.nudges > 0 ? `nudges ${agent.nudges}` : '',
    agent.restarts > 0 ? `restarts ${agent.restarts}` : '',
    agent.pending_nudge === null ? '' : `a message waits: ${agent.pending_nudge.why}`,
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

function uiSentences(before: Spoken, drawing: Drawing, choice: string): string[] {
  const { ui } = drawing;
  const last = before.ui;
  const lines: string[] = [];
  if (ui.message !== null && ui.message !== last?.message) lines.push(ui.message.text);
  if (ui.reader !== null) return [...lines, ...readerSentences(last?.reader ?? null, ui.reader, drawing)];
  if (ui.screen !== last?.screen && (ui.screen !== 'agents' || last !== null)) {
    lines.push(ui.screen === 'agents' ? 'Table of agents.' : '');
    if (ui.screen !== 'agents') lines.push(...screenText(drawing));
  } else if (['metrics', 'learning'].includes(ui.screen) && last !== null && ui.measures !== last.measures) {
    lines.push(...screenText(drawing));
  } else if (ui.screen === 'mail' && last !== null && (ui.mail !== last.mail || ui.openMail !== last.openMail)) {
    lines.push(...screenText(drawing));
  }
  if (ui.screen === 'gate' && ui.cursors.gate !== last?.cursors.gate && last?.screen === 'gate') {
    lines.push(selectedGateLine(drawing));
  }
  if (ui.screen === 'agents' && ui.dialog === null && ui.selected !== last?.selected) {
    const agent = selectedAgent(drawing);
    if (agent !== null) lines.push(`Selected ${agentSentence(agent)}`);
  }
  if (ui.marks.size !== (last?.marks.size ?? 0)) lines.push(`${ui.marks.size} marked.`);
  if (ui.order !== (last?.order ?? 'attention')) lines.push(`Sorted by ${ui.order}.`);
  if (ui.filter !== (last?.filter ?? '') && ui.dialog === null) lines.push(`Filter: ${ui.filter || 'none'}.`);
  if (ui.dialog !== null && ui.dialog.kind !== last?.dialog?.kind) lines.push(dialogSentence(ui.dialog));
  if (choice !== '' && choice !== before.choice) lines.push(choice);
  if (ui.dialog === null && last?.dialog !== null && last?.dialog !== undefined && ui.message === null) {
    lines.push('Closed.');
  }
  if (ui.peeked !== null && ui.peeked !== last?.peeked) lines.push(...(ui.peeked.lines.slice(-5) ?? []));
  return lines;
}

function selectedGateLine(drawing: Drawing): string {
  const row = gateRows(drawing.view)[drawing.ui.cursors.gate ?? 0];
  return row === undefined ? '' : `Selected ${textOf(gateLine(row, false, drawing))}`;
}

const screenText = (drawing: Drawing): string[] =>
  screenLines({ ...drawing, width: 200 }, drawing.ui.screen, screenLimit, 0).lines.map((line) =>
    // Rules and bars are for the eye.
    textOf(line).replace(/^- |-{2,}|#{2,}/g, ' '),
  );

const textOf = (line: Line): string => line.map(({ text }) => text).join('');

function dialogSentence(dialog: Dialog): string {
  switch (dialog.kind) {
    case 'confirm':
      return `${dialog.question} ${dialog.consequence}. y for yes, n for no.`;
    case 'text':
      return `${dialog.title} Type text; enter sends, escape leaves; ${dialog.hint}`;
    case 'filter':
      return 'Filter. Type words; enter keeps, escape leaves.';
    case 'palette':
      return 'Do what? Type a few letters; up and down choose, enter takes.';
    case 'sling-bead':
      return 'Sling which bead? Type the title of a new one, or choose with up and down; enter takes.';
    case 'sling-agent':
      return 'To whom? Choose with up and down; enter takes.';
  }
}

function choiceSentence(drawing: Drawing, dialog: Dialog): string {
  if (!('index' in dialog)) return '';
  const choices = pickerChoices(drawing, dialog);
  const choice = choices[dialog.index];
  if (choice === undefined) return 'Nothing matches.';
  return `${dialog.index + 1} of ${choices.length}: ${choice.text}, ${choice.why ?? choice.note}`;
}
