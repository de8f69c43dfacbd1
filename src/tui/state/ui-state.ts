/** What the operator sees and is doing: all of it data, changed only by `reduce.ts`. */
import type { ActiveReader } from '../../domain/handoff-reader.ts';
import type { Measures } from '../../domain/measures.ts';
import type { Mail } from '../../domain/records.ts';
import type { ActionResult } from '../../domain/view.ts';
import type { Composer } from './composer.ts';
import type { Effect } from './effects.ts';
import type { SortOrder } from './order.ts';

export type ScreenName =
  | 'agents'
  | 'beads'
  | 'mail'
  | 'events'
  | 'metrics'
  | 'learning'
  | 'gate'
  | 'approvals'
  | 'handlers'
  | 'help';

/** One line of a picker. `why` says why it cannot be taken; null when it can. */
export interface Choice {
  id: string;
  text: string;
  note: string;
  why: string | null;
}

export type Dialog =
  | { kind: 'filter'; before: string; input: Composer }
  /** `y` carries out the effect; the question names the object. */
  | { kind: 'confirm'; question: string; consequence: string; effect: Effect }
  /** The typed text becomes the effect's text; `fallback` stands for an empty one, null refuses it. */
  | { kind: 'text'; title: string; hint: string; fallback: string | null; input: Composer; effect: Effect }
  | { kind: 'sling-bead'; input: Composer; index: number; agent: string | null }
  | { kind: 'sling-agent'; input: Composer; index: number; bead: { id: string } | { title: string } }
  | { kind: 'palette'; input: Composer; index: number };

interface LocalReceipt {
  action: string;
  result: ActionResult;
  at: number;
}

/** The handoff that is being read. */
export interface OpenReader {
  machine: ActiveReader;
  /** The text as it came from the disk, not wrapped. */
  lines: readonly string[];
  columns: number;
}

export interface UiState {
  screen: ScreenName;
  dialog: Dialog | null;
  selected: string | null;
  order: SortOrder;
  filter: string;
  marks: ReadonlySet<string>;
  /** The live preview is open; it follows the selection. */
  peeking: boolean;
  /** Lines of the agent's pane as last read, or why they could not be. */
  peeked: { agent: string; lines: readonly string[]; error: string | null } | null;
  /** Actions under way, by agent id; '' holds those of the town. */
  running: ReadonlyMap<string, string>;
  receipts: ReadonlyMap<string, LocalReceipt>;
  message: { text: string; kind: 'good' | 'wait' | 'alarm' | 'plain' } | null;
  /** Selected line of each screen that has a list. */
  cursors: Readonly<Partial<Record<ScreenName, number>>>;
  /** As read when their screen was opened. */
  measures: Measures | null;
  mail: readonly Mail[] | null;
  openMail: string | null;
  /** The handoff that is being read, acknowledged or dissolved: nothing else takes keys meanwhile. */
  reader: OpenReader | null;
  /** The tree whose handoff is on its way from the disk to the reader. */
  opening: string | null;
}

export const initialUiState: UiState = {
  screen: 'agents',
  dialog: null,
  selected: null,
  order: 'attention',
  filter: '',
  marks: new Set(),
  peeking: false,
  peeked: null,
  running: new Map(),
  receipts: new Map(),
  message: null,
  cursors: {},
  measures: null,
  mail: null,
  openMail: null,
  reader: null,
  opening: null,
};
