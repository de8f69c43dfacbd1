/**
 * The one action table: keys, footer, palette and help are made from it. An action that cannot be done says why.
 * Keys are those of DESIGN section 6.
 */

import type { Action } from './state/action.ts';
import { agentActions } from './state/agent-actions.ts';
import { approvalActions } from './state/approval-actions.ts';
import { gateActions } from './state/gate-actions.ts';
import { learningActions } from './state/learning-actions.ts';
import { beadActions, mailActions } from './state/list-actions.ts';
import { lookActions, moveActions } from './state/look-actions.ts';
import { townActions } from './state/town-actions.ts';
import type { ScreenName } from './state/ui-state.ts';

export type { Action } from './state/action.ts';

/** Everything that can be done, in the order of the help. */
export const allActions: readonly Action[] = [
  ...moveActions,
  ...agentActions,
  ...lookActions,
  ...townActions,
  ...beadActions,
  ...mailActions,
  ...gateActions,
  ...approvalActions,
  ...learningActions,
];

export const actionsOn = (screen: ScreenName): readonly Action[] =>
  allActions.filter(({ screens }) => screens === 'all' || screens.includes(screen));

const tables = new Map<ScreenName, ReadonlyMap<string, Action>>();

/** The action of a key (`s`, `enter`, `ctrl-c`) on a screen; undefined: the key does nothing there. */
export function actionOfKey(screen: ScreenName, key: string): Action | undefined {
  const table =
    tables.get(screen) ?? new Map(actionsOn(screen).flatMap((action) => action.keys.map((each) => [each, action])));
  tables.set(screen, table);
  return table.get(key);
}
