/** The bottom lines: what just happened and how the table is cut; then the keys, from the action table. */
import { actionsOn } from '../actions.ts';
import { type Line, lineWidth, type Part, part, spread } from '../text/line.ts';
import { rowText } from '../text/width.ts';
import type { Drawing } from './drawing.ts';

export const keyLabel = (key: string, enter: string): string =>
  ({ enter, space: 'space', escape: 'esc', pageup: 'pgup', pagedown: 'pgdn', up: 'up', down: 'down' })[key] ?? key;

/** Keys of the screen with their words; as many as toWidth, `?` always among them. */
export function keysLine(drawing: Drawing): Line {
  const { glyphs } = drawing.look;
  const actions = actionsOn(drawing.ui.screen)
    .filter(({ footer, keys }) => footer !== null && keys.length > 0)
    .sort((a, b) => (a.footer ?? 0) - (b.footer ?? 0));
  const hint = (action: (typeof actions)[number]): Line => {
    const off = action.whyNot(drawing) !== null;
    const key = keyLabel(action.keys[0] ?? '', glyphs.enter);
    return [part(`  ${key}`, off ? 'dim' : 'accent'), part(` ${action.label}`, 'dim')];
  };
  const back: Line = drawing.ui.screen === 'agents' ? [] : [part('  esc', 'accent'), part(' back', 'dim')];
  const help = [...back, ...actions.filter(({ name }) => name === 'help').flatMap(hint)];
  let room = drawing.width - lineWidth(help) + 1;
  const shown: Part[] = [];
  for (const action of actions.filter(({ name }) => name !== 'help')) {
    const parts = hint(action);
    if (lineWidth(parts) > room) break;
    room -= lineWidth(parts);
    shown.push(...parts);
  }
  return trimStart([...shown, ...help]);
}

const trimStart = ([first, ...rest]: Line): Line =>
  first === undefined ? [] : [part(first.text.replace(/^ /, ''), first.tone), ...rest];

/** Left: the last answer, or `otherwise`. Right: order, filter and marks. */
export function statusLine(drawing: Drawing, otherwise: Line): Line {
  const { ui, look, width } = drawing;
  const message = hasMessage(drawing) ? messageParts(drawing) : otherwise;
  if (ui.screen !== 'agents') return message;
  const marked = drawing.view.agents.filter(({ agent_id }) => ui.marks.has(agent_id)).length;
  const facts = [
    ui.filter === '' ? '' : `filter ${rowText(ui.filter)}: ${drawing.rows.length} of ${drawing.view.agents.length}`,
    marked > 0 ? `${marked} marked` : '',
    ui.order === 'attention' ? '' : `by ${ui.order}`,
  ].filter(Boolean);
  const right = facts.length === 0 ? [] : [part(`${facts.join(` ${look.glyphs.dot} `)} `, 'accent')];
  return spread(message, right, width);
}

export function messageParts({ ui, look }: Drawing): Line {
  if (ui.message !== null) {
    const tone = ui.message.kind === 'plain' ? 'plain' : ui.message.kind;
    return [part(` ${rowText(ui.message.text)}`, tone)];
  }
  const under = [...ui.running].map(([agent, action]) => `${action} ${agent}`.trim());
  return under.length === 0 ? [] : [part(` ${under.join(', ')}${look.glyphs.ellipsis}`, 'accent')];
}

export const hasMessage = ({ ui }: Drawing): boolean => ui.message !== null || ui.running.size > 0;
