/** What is said of one event handler of the catalogue. */
import type { EventKind } from '../event.ts';
import { type Role, roles } from '../role.ts';
import type { ToolKind } from './tools.ts';

/** One kind of event that a handler wants to see; of tools only those kinds, or only those that failed. */
export interface Look {
  kind: EventKind;
  tools?: readonly ToolKind[];
  failed?: true;
  /** Only these have to be asked for it; all, if absent. */
  runtimes?: readonly KnownRuntime[];
}

export const knownRuntimes = ['claude', 'codex', 'gemini', 'opencode'] as const;
export type KnownRuntime = (typeof knownRuntimes)[number];

export interface Entry {
  /** Empty where no event drives it. */
  looks: readonly Look[];
  /** Lower comes first. */
  priority: number;
  /** Whether it is on where the configuration says nothing. */
  on: boolean;
  roles: readonly Role[];
  /** In a sentence or two: its effect in a town. */
  does: string;
  /** The runtimes that can reach it, by their events or, where none drives it, at all. */
  runtimes: readonly KnownRuntime[];
  /** What the town relies on in a runtime that does it itself, or why one cannot reach it. */
  relies?: Partial<Record<KnownRuntime, string>>;
}

/** For entries without a difference. */
export const everyRole: readonly Role[] = roles;
