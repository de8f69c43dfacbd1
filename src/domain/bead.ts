/** Beads: the work items. `needs` names beads that must be done (or merged) first. */
import * as z from 'zod/mini';
import { isoTime, parseTime } from './time.ts';

export const beadStatuses = ['open', 'hooked', 'in_progress', 'done', 'merged', 'failed', 'blocked'] as const;
export const priorities = ['P1', 'P2', 'P3'] as const;

export const beadSchema = z.looseObject({
  bead_id: z.string(),
  title: z.string(),
  description: z.string(),
  status: z.enum(beadStatuses),
  priority: z.enum(priorities),
  assignee: z.nullable(z.string()),
  needs: z.array(z.string()),
  created_at: isoTime,
});

export type Bead = z.infer<typeof beadSchema>;
export type BeadStatus = Bead['status'];
export type Priority = Bead['priority'];

const isFinished = (bead: Bead | undefined): boolean => bead?.status === 'done' || bead?.status === 'merged';

/** Open beads whose needs are all finished, by priority, then the oldest first. A need that does not exist blocks. */
export function readyBeads(beads: readonly Bead[]): Bead[] {
  const byId = new Map(beads.map((bead) => [bead.bead_id, bead]));
  return beads
    .filter((bead) => bead.status === 'open' && bead.needs.every((id) => isFinished(byId.get(id))))
    .sort((a, b) => compare(a.priority, b.priority) || ageOf(a) - ageOf(b) || compare(a.bead_id, b.bead_id));
}

/** Times of mixed precision are instants: as text, `…00.500Z` sorts before `…00Z`. */
const ageOf = (bead: Bead): number => parseTime(bead.created_at) ?? 0;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
