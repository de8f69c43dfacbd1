/** Keys while a dialog is open: typing, choosing, confirming. Esc and ctrl-c close without doing anything. */
import { actionsOn } from '../actions.ts';
import type { Key } from '../terminal/keys.ts';
import { agentChoices, autoChoice, beadChoices, newBeadChoice, paletteChoices } from './choices.ts';
import { composerText, edit, emptyComposer } from './composer.ts';
import { type Context, change, type Step } from './context.ts';
import type { Effect } from './effects.ts';
import type { Choice, Dialog } from './ui-state.ts';

type Picker = Extract<Dialog, { index: number }>;

export function pressDialogKey(context: Context, dialog: Dialog, key: Key): Step {
  const name = key.kind === 'key' ? key.name : '';
  if (name === 'escape' || name === 'ctrl-c') return closeDialog(context, dialog);
  switch (dialog.kind) {
    case 'confirm':
      return pressConfirmKey(context, dialog, key);
    case 'filter':
      if (name === 'enter') return close(context);
      return pressFilterKey(context, dialog, key);
    case 'text':
      if (name === 'enter') return enterText(context, dialog);
      return type(context, dialog, key);
    default:
      return pressPickerKey(context, dialog, key);
  }
}

const close = (context: Context, ...effects: Effect[]): Step => ({ ui: { ...context.ui, dialog: null }, effects });

function closeDialog(context: Context, dialog: Dialog): Step {
  const step = close(context);
  return dialog.kind === 'filter' ? { ...step, ui: { ...step.ui, filter: dialog.before } } : step;
}

function pressConfirmKey(context: Context, dialog: Extract<Dialog, { kind: 'confirm' }>, key: Key): Step {
  if (key.kind !== 'text') return change(context, {});
  if (key.text === 'y' || key.text === 'Y') return close(context, dialog.effect);
  return key.text === 'n' || key.text === 'N' || key.text === 'q' ? close(context) : change(context, {});
}

/** The table narrows with every letter. */
function pressFilterKey(context: Context, dialog: Extract<Dialog, { kind: 'filter' }>, key: Key): Step {
  const input = edit(dialog.input, key);
  return input === null
    ? change(context, {})
    : change(context, { dialog: { ...dialog, input }, filter: composerText(input) });
}

function type(context: Context, dialog: Extract<Dialog, { kind: 'text' }>, key: Key): Step {
  const input = edit(dialog.input, key);
  return input === null ? change(context, {}) : change(context, { dialog: { ...dialog, input } });
}

function enterText(context: Context, dialog: Extract<Dialog, { kind: 'text' }>): Step {
  const text = composerText(dialog.input).trim() || dialog.fallback;
  if (text === null) return change(context, {});
  return close(context, 'text' in dialog.effect ? { ...dialog.effect, text } : dialog.effect);
}

/** Lines of an open picker, as drawn and as chosen from. */
export function pickerChoices(context: Context, dialog: Picker): Choice[] {
  const query = composerText(dialog.input);
  if (dialog.kind === 'sling-bead') return beadChoices(context.view, query);
  if (dialog.kind === 'sling-agent') return agentChoices(context.view, query);
  return paletteChoices(context, actionsOn(context.ui.screen), query);
}

const pickerSteps: Readonly<Record<string, number>> = {
  up: -1,
  'ctrl-p': -1,
  backtab: -1,
  down: 1,
  'ctrl-n': 1,
  tab: 1,
  pageup: -8,
  pagedown: 8,
};

function pressPickerKey(context: Context, dialog: Picker, key: Key): Step {
  const name = key.kind === 'key' ? key.name : '';
  const choices = pickerChoices(context, dialog);
  const step = pickerSteps[name];
  if (step !== undefined) {
    const index = Math.min(Math.max(0, choices.length - 1), Math.max(0, dialog.index + step));
    return change(context, { dialog: { ...dialog, index } });
  }
  if (name === 'enter') {
    const choice = choices[dialog.index];
    return choice === undefined ? change(context, {}) : choose(context, dialog, choice);
  }
  const input = edit(dialog.input, key);
  if (input === null) return change(context, {});
  const isSame = composerText(input) === composerText(dialog.input);
  return change(context, { dialog: { ...dialog, input, index: isSame ? dialog.index : 0 } });
}

function choose(context: Context, dialog: Picker, choice: Choice): Step {
  if (choice.why !== null) {
    return change(context, { message: { text: `${choice.text}: ${choice.why}`, kind: 'wait' } });
  }
  switch (dialog.kind) {
    case 'sling-bead':
      return chooseBead(context, dialog, choice);
    case 'sling-agent':
      return close(context, {
        kind: 'sling',
        bead: dialog.bead,
        agent: choice.id === autoChoice ? null : choice.id,
      });
    case 'palette':
      return chooseCommand(context, choice);
  }
}

function chooseBead(context: Context, dialog: Extract<Dialog, { kind: 'sling-bead' }>, choice: Choice): Step {
  const bead = choice.id === newBeadChoice ? { title: composerText(dialog.input).trim() } : { id: choice.id };
  const index = agentChoices(context.view, '').findIndex(({ id }) => id === dialog.agent);
  return change(context, {
    message: null,
    dialog: { kind: 'sling-agent', input: emptyComposer(80), index: Math.max(0, index), bead },
  });
}

function chooseCommand(context: Context, choice: Choice): Step {
  const { ui } = close(context);
  if (choice.id.startsWith('@')) {
    return { ui: { ...ui, screen: 'agents', filter: '', selected: choice.id.slice(1) }, effects: [] };
  }
  const action = actionsOn(ui.screen).find(({ name }) => name === choice.id);
  return action === undefined ? { ui, effects: [] } : action.run({ ...context, ui });
}
