/**
 * The anchor: a session with one idle program that nobody kills, so that a control client never loses the session it is
 * attached to (tmux before 3.7 can crash then). On a server shared with the user the names carry the town.
 */
export interface SessionNames {
  town: string;
  anchor: string;
}

/** `id`: the town's short hash when the server is shared; null on a server of our own. */
export const sessionNames = (id: string | null): SessionNames =>
  id === null ? { town: 'town', anchor: 'anchor' } : { town: `gastown-${id}`, anchor: `gastown-${id}-anchor` };

/** A program that waits for input that never comes: for the anchor, and for panes whose program follows. */
export const idle = ['sh', '-c', 'exec cat'] as const;
