/** The top lines: which town, does it run, and how many agents are in which state. No clock: it would redraw for nothing. */
import { agentStates } from '../../domain/status.ts';
import { parseTime } from '../../domain/time.ts';
import type { TownView } from '../../domain/view.ts';
import { byAttention } from '../state/order.ts';
import { type Line, lineWidth, type Part, part, spread, type Tone } from '../text/line.ts';
import { rowText } from '../text/width.ts';
import type { Drawing } from './drawing.ts';
import { stateTones } from './tones.ts';

/** A deacon that has not ticked for this long is not looking after anyone. */
const silentAfterMs = 90_000;

export function headerLines(drawing: Drawing, height: number): Line[] {
  if (height <= 0) return [];
  const { width } = drawing;
  const counts = stateCounts(drawing);
  if (height === 1)
    return [
      spread([...townName(drawing), part('  ')], asManyAsFit(counts, width - lineWidth(townName(drawing)) - 3), width),
    ];
  const second = spread([part(' '), ...counts], workCounts(drawing), width);
  // What waits for a human is worth more than words for what is well.
  const choices = [false, true].flatMap((isShort) =>
    [false, true].map((isTerse): [Line, Line] => [townState(drawing, isTerse), alerts(drawing, isShort)]),
  );
  const [left, right] =
    choices.find((pair) => lineWidth(pair[0]) + lineWidth(pair[1]) < width) ??
    ([townName(drawing), alerts(drawing, true)] as const);
  return [spread(left, right, width), second];
}

const townName = ({ view }: Drawing): Line => [part(` ${rowText(view.town.name) || 'town'}`, 'title')];

function townState(drawing: Drawing, isTerse: boolean): Line {
  const { view } = drawing;
  const sep = part(` ${drawing.look.glyphs.dot} `, 'dim');
  const demo = view.demo ? [sep, part(isTerse ? 'demo' : 'demo: simulated agents', 'wait')] : [];
  const running = view.town.running ? part('running', 'dim') : part('down', 'wait');
  const isWell = view.town.running && isTerse;
  return [...townName(drawing), ...demo, ...(isWell ? [] : [sep, running]), sep, deacon(drawing)];
}

function deacon({ view, ages }: Drawing): Part {
  if (!view.deacon.running) return part('no deacon', view.town.running ? 'wait' : 'dim');
  const tick = parseTime(view.deacon.tick_at);
  if (tick === null || ages.now - tick < silentAfterMs) return part('deacon on', 'dim');
  return part(`deacon silent ${ages.of(tick)}`, 'wait');
}

/** What waits elsewhere, most urgent first. */
function alerts({ view, look, ages, seenAt }: Drawing, isShort: boolean): Line {
  const { glyphs } = look;
  const parts: Part[] = [];
  const alert = (glyph: string, count: string, word: string, tone: Tone): void =>
    void parts.push(part(`${glyph} ${isShort ? count : [count, word].filter(Boolean).join(' ')}`, tone));
  const open = view.escalations.filter((each) => each.acknowledged_at === null).length;
  if (open > 0) alert(glyphs.alert, String(open), `escalation${open === 1 ? '' : 's'}`, 'alarm');
  if (view.mail.unread > 0) alert(glyphs.mail, String(view.mail.unread), 'mail', 'wait');
  const armed = view.handoffs.filter((handoff) => handoff.armed);
  const [first] = armed;
  if (first !== undefined) {
    const since = first.age_s === null ? null : seenAt(view.handoffs) - first.age_s * 1000;
    const more = armed.length > 1 ? ` +${armed.length - 1}` : '';
    const words = isShort ? `armed ${ages.of(since)}` : `handoff armed ${ages.of(since)} ${treeName(first.tree)}`;
    parts.push(part(`${glyphs.armed} ${words}${more}`, 'wait'));
  }
  if (view.requests.length > 0) alert(glyphs.states.asking, String(view.requests.length), 'to dissolve', 'wait');
  return parts.flatMap((each, index) => [part(index > 0 ? '  ' : ''), each]).concat(part(' '));
}

/** A tree by the name of its folder: the town's own, or a worktree's. */
export const treeName = (tree: string): string => rowText(tree.slice(tree.lastIndexOf('/') + 1)) || tree;

/** Where a tree lies: below the town's folder by its way from there. */
export const treePath = ({ town }: TownView, tree: string): string =>
  rowText(tree.startsWith(`${town.root}/`) ? tree.slice(town.root.length + 1) : tree);

/** The first counts alone when not all fit: the most urgent come first. */
function asManyAsFit(counts: Line, width: number): Line {
  let line = counts;
  while (line.length > 1 && lineWidth(line) > width) line = line.slice(0, -2);
  return line;
}

/** `1 asking · 2 working`, most urgent first, states without agents left out. */
export function stateCounts({ view, look }: Drawing): Line {
  const counts = new Map<string, number>();
  for (const agent of view.agents) counts.set(agent.state, (counts.get(agent.state) ?? 0) + 1);
  const shown = agentStates.filter((state) => counts.has(state)).sort(byAttention);
  return shown.flatMap((state, index) => [
    ...(index > 0 ? [part(` ${look.glyphs.dot} `, 'dim')] : []),
    part(`${counts.get(state)} ${state}`, stateTones[state]),
  ]);
}

function workCounts({ view, look }: Drawing): Line {
  const { open, hooked, in_progress, done, failed } = view.work;
  const texts = [
    open > 0 ? `${open} open` : '',
    hooked + in_progress > 0 ? `${hooked + in_progress} in hand` : '',
    done > 0 ? `${done} done` : '',
    failed > 0 ? `${failed} failed` : '',
  ].filter(Boolean);
  return texts.length === 0 ? [] : [part(`beads: ${texts.join(` ${look.glyphs.dot} `)} `, 'dim')];
}

/** Standing conditions that must not be overlooked, most urgent first. */
export function bannerLines({ view, look }: Drawing): Line[] {
  const { glyphs } = look;
  const lines: Line[] = [];
  const alarm = (text: string): void => void lines.push([part(` ${glyphs.alert} ${text}`, 'alarm')]);
  if (view.town.running && view.town.server === 'gone')
    alarm('tmux server gone: agents are not running; hooks, beads and worktrees are kept');
  const open = view.escalations.filter((each) => each.acknowledged_at === null);
  for (const { agent_id, bead_id, message } of open) {
    const subject = [agent_id, bead_id].filter((id) => id !== null).join(' ');
    alarm(`${subject === '' ? '' : `${subject}: `}${rowText(message)}`);
  }
  const [asked] = view.approvals;
  if (asked !== undefined) {
    const more = view.approvals.length > 1 ? `, and ${view.approvals.length - 1} more` : '';
    const text = ` ${glyphs.states.asking} A answers: ${asked.agent_id} wants ${rowText(asked.tool)}: ${rowText(asked.what)}${more}`;
    lines.push([part(text, 'wait')]);
  }
  for (const notice of view.notices) lines.push([part(` ${glyphs.dot} ${rowText(notice)}`, 'wait')]);
  return lines;
}
