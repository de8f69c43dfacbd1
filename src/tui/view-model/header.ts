/** The top lines: which town, does it run, and how many agents are in which state. No clock: it would redraw for nothing. */
import { agentStates } from '../../domain/status.ts';
import { parseTime } from '../../domain/time.ts';
import { type Line, type Part, part, spread } from '../text/line.ts';
import { rowText } from '../text/width.ts';
import type { Drawing } from './drawing.ts';
import { stateTones } from './tones.ts';

/** A deacon that has not ticked for this long is not looking after anyone. */
const silentAfterMs = 90_000;

export function headerLines(drawing: Drawing, height: number): Line[] {
  if (height <= 0) return [];
  const counts = stateCounts(drawing);
  if (height === 1) return [spread([...townName(drawing), part(' ')], counts, drawing.width)];
  const left = [...townName(drawing), ...townState(drawing)];
  return [
    spread(left, alerts(drawing), drawing.width),
    spread([part(' '), ...counts], workCounts(drawing), drawing.width),
  ];
}

const townName = ({ view }: Drawing): Line => [part(` ${rowText(view.town.name) || 'town'}`, 'title')];

function townState(drawing: Drawing): Line {
  const { view } = drawing;
  const sep = part(` ${drawing.look.glyphs.dot} `, 'dim');
  const running = view.town.running ? part('running', 'dim') : part('down', 'wait');
  return [...(view.demo ? [sep, part('demo: simulated agents', 'wait')] : []), sep, running, sep, deacon(drawing)];
}

function deacon({ view, ages, seenAt }: Drawing): Part {
  if (!view.deacon.running) return part('no deacon', view.town.running ? 'wait' : 'dim');
  const tick = parseTime(view.deacon.tick_at);
  const [first] = view.agents;
  const seen = first === undefined ? null : seenAt(first);
  if (tick === null || seen === null || seen - tick < silentAfterMs) return part('deacon on', 'dim');
  return part(`deacon silent ${ages.of(tick)}`, 'wait');
}

/** What waits elsewhere, most urgent first. */
function alerts({ view, look, ages, seenAt }: Drawing): Line {
  const { glyphs } = look;
  const parts: Part[] = [];
  const open = view.escalations.filter((each) => each.acknowledged_at === null).length;
  if (open > 0) parts.push(part(`${glyphs.alert} ${open} escalation${open === 1 ? '' : 's'}`, 'alarm'));
  if (view.mail.unread > 0) parts.push(part(`${glyphs.mail} ${view.mail.unread} mail`, 'wait'));
  const armed = view.handoffs.filter((handoff) => handoff.armed);
  const [first] = armed;
  if (first !== undefined) {
    const [agent] = view.agents;
    const since = first.age_s === null || agent === undefined ? null : seenAt(agent) - first.age_s * 1000;
    const more = armed.length > 1 ? ` +${armed.length - 1}` : '';
    parts.push(part(`${glyphs.armed} handoff armed ${ages.of(since)}${more}`, 'wait'));
  }
  return parts.flatMap((each) => [each, part('  ')]);
}

/** `1 asking, 2 working`, in the order of the state list, states without agents left out. */
export function stateCounts({ view, look }: Drawing): Line {
  const counts = new Map<string, number>();
  for (const agent of view.agents) counts.set(agent.state, (counts.get(agent.state) ?? 0) + 1);
  const shown = agentStates.filter((state) => counts.has(state));
  shown.sort((a, b) => urgency(stateTones[b]) - urgency(stateTones[a]));
  return shown.flatMap((state, index) => [
    ...(index > 0 ? [part(` ${look.glyphs.dot} `, 'dim')] : []),
    part(`${counts.get(state)} ${state}`, stateTones[state]),
  ]);
}

const urgency = (tone: string): number => ['dim', 'plain', 'good', 'wait', 'alarm'].indexOf(tone);

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
  if (view.town.server === 'gone')
    alarm('tmux server gone: agents are not running; hooks, beads and worktrees are kept');
  const open = view.escalations.filter((each) => each.acknowledged_at === null);
  for (const { agent_id, bead_id, message } of open) {
    const subject = [agent_id, bead_id].filter((id) => id !== null).join(' ');
    alarm(`${subject === '' ? '' : `${subject}: `}${rowText(message)}`);
  }
  for (const notice of view.notices) lines.push([part(` ${glyphs.dot} ${rowText(notice)}`, 'wait')]);
  return lines;
}
