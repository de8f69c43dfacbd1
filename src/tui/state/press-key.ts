/** One key → the next state and what the town is asked to do. Pure, `now` in ms; unknown keys do nothing. */
import { type Action, actionOfKey } from '../actions.ts';
import type { Key } from '../terminal/keys.ts';
import { type Context, change, type Step } from './context.ts';
import { pressDialogKey } from './dialog-keys.ts';
import { pressReaderKey } from './reader-keys.ts';

export function pressKey(context: Context, key: Key, now: number): Step {
  if (context.ui.reader !== null) return pressReaderKey(context, context.ui.reader, key, now);
  if (context.ui.dialog !== null) return pressDialogKey(context, context.ui.dialog, key);
  if (key.kind === 'paste') return change(context, {});
  const name = key.kind === 'key' ? key.name : key.text === ' ' ? 'space' : key.text;
  if (name === 'ctrl-c') return say(context, 'q leaves, the agents go on; Q ends the town');
  const action = actionOfKey(context.ui.screen, name);
  return action === undefined ? change(context, {}) : runAction(context, action);
}

/** Runs the action, or says why it cannot be done now. */
function runAction(context: Context, action: Action): Step {
  const why = action.whyNot(context);
  return why === null ? action.run(context) : say(context, `${action.label}: ${why}`);
}

const say = (context: Context, text: string): Step => change(context, { message: { text, kind: 'wait' } });
