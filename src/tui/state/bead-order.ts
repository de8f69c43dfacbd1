import { type Bead, type BeadStatus, readyBeads } from '../../domain/bead.ts';

const ranks: Record<BeadStatus, number> = {
  open: 1,
  failed: 2,
  in_progress: 3,
  hooked: 4,
  blocked: 5,
  done: 6,
  merged: 7,
};

const orders = new WeakMap<readonly Bead[], readonly Bead[]>();

/** Ready beads first, then by what one would look at next; one order for screen and keys, made once a view. */
export function orderBeads(beads: readonly Bead[]): readonly Bead[] {
  const known = orders.get(beads);
  if (known !== undefined) return known;
  const ready = readyBeads(beads);
  const isReady = new Set(ready);
  const rest = beads.filter((bead) => !isReady.has(bead));
  const newestFirst = (a: Bead, b: Bead): number => (a.created_at < b.created_at ? 1 : -1);
  const ordered = [...ready, ...rest.sort((a, b) => ranks[a.status] - ranks[b.status] || newestFirst(a, b))];
  orders.set(beads, ordered);
  return ordered;
}
