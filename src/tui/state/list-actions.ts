/** What can be done to the selected line of the beads and mail screens. */
import type { Bead } from '../../domain/bead.ts';
import type { Mail } from '../../domain/records.ts';
import type { Action } from './action.ts';
import { orderBeads } from './bead-order.ts';
import { emptyComposer } from './composer.ts';
import { ask, type Context, change, openDialog, perform } from './context.ts';

const selectedBead = ({ view, ui }: Context): Bead | undefined => orderBeads(view.beads)[ui.cursors.beads ?? 0];
const selectedMail = ({ ui }: Context): Mail | undefined => ui.mail?.[ui.cursors.mail ?? 0];

const whyNoBead = (context: Context, allowed: (bead: Bead) => string | null): string | null => {
  const bead = selectedBead(context);
  return bead === undefined ? 'no bead is selected' : allowed(bead);
};

const onBeads = { group: 'list', screens: ['beads'], destructive: false } as const;

export const beadActions: readonly Action[] = [
  {
    ...onBeads,
    name: 'sling bead',
    keys: ['s', 'enter'],
    label: 'sling',
    does: 'Sling the selected bead.',
    footer: 1,
    whyNot: (context) =>
      whyNoBead(context, ({ status, bead_id }) => (status === 'open' ? null : `${bead_id} is ${status}, not open`)),
    run(context) {
      const bead = selectedBead(context);
      if (bead === undefined) return change(context, {});
      return openDialog(context, {
        kind: 'sling-agent',
        input: emptyComposer(80),
        index: 0,
        bead: { id: bead.bead_id },
      });
    },
  },
  {
    ...onBeads,
    name: 'reopen bead',
    keys: ['r'],
    label: 'reopen',
    does: 'Set a finished or failed bead back to open.',
    footer: 2,
    whyNot: (context) =>
      whyNoBead(context, ({ status, bead_id }) => (status === 'open' ? `${bead_id} is open already` : null)),
    run(context) {
      const bead = selectedBead(context);
      return bead === undefined
        ? change(context, {})
        : perform(context, { kind: 'bead', verb: 'reopen', beadId: bead.bead_id });
    },
  },
  {
    ...onBeads,
    name: 'close bead',
    keys: ['x'],
    label: 'close',
    does: 'Close the selected bead as done (asks).',
    destructive: true,
    footer: 3,
    whyNot: (context) =>
      whyNoBead(context, ({ status, bead_id }) =>
        status === 'done' || status === 'merged' ? `${bead_id} is ${status} already` : null,
      ),
    run(context) {
      const bead = selectedBead(context);
      if (bead === undefined) return change(context, {});
      const effect = { kind: 'bead', verb: 'close', beadId: bead.bead_id } as const;
      return ask(context, `Close ${bead.bead_id} “${bead.title}”?`, 'it counts as done; r opens it again', effect);
    },
  },
];

export const mailActions: readonly Action[] = [
  {
    name: 'read mail',
    keys: ['enter'],
    label: 'read',
    does: 'Open the selected mail and mark it read.',
    group: 'list',
    screens: ['mail'],
    destructive: false,
    footer: 1,
    whyNot: (context) => (selectedMail(context) === undefined ? 'there is no mail' : null),
    run(context) {
      const mail = selectedMail(context);
      if (mail === undefined) return change(context, {});
      const ui = { ...context.ui, openMail: mail.id, message: null };
      return { ui, effects: mail.read ? [] : [{ kind: 'mark-read', mailId: mail.id }] };
    },
  },
];
