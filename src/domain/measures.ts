/** What the metrics and learning screens show: read when they are opened and after each decision. */
import type { Proposal } from './learning.ts';

export interface Measures {
  /** The table of seed 001's metrics, as `gastown metrics` prints it. */
  lines: readonly string[];
  /** Open ones first; those that were decided, after them. */
  proposals: readonly Proposal[];
}

export type Decision = 'accept' | 'reject';
