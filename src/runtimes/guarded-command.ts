/**
 * The command of one event in a settings file that also serves sessions outside the town: runs the `gt-event` that the
 * pane names, and does nothing where none does or it is gone. It is the same for every town: one approval covers all.
 */
export const guardedCommand = (words: string): string => `[ ! -x "$GT_EVENT_BIN" ] || exec "$GT_EVENT_BIN" ${words}`;

/** Knows the commands of this and of earlier versions, wherever they stand. */
export const isGuardedCommand = (command: string): boolean =>
  /^\[ (! -x|-z) "\$GT_EVENT_BIN" \] \|\| exec "\$GT_EVENT_BIN" [A-Za-z]/.test(command);
