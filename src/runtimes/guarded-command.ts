/**
 * The command of one event in a settings file that also serves sessions outside the town: runs the `gt-event` that the
 * pane names, and does nothing where none does. It is the same for every town, so one approval covers them all.
 */
export const guardedCommand = (event: string): string => `[ -z "$GT_EVENT_BIN" ] || exec "$GT_EVENT_BIN" ${event}`;
