/** `gastown status --json`, key for key (DESIGN section 6). A missing value is null; a missing key never happens. */
import type { Hook } from './hook.ts';

export const agentStates = [
  'stopped',
  'spawning',
  'idle',
  'pending',
  'working',
  'asking',
  'dialog',
  'limited',
  'stalled',
  'done',
  'failed',
  'paused',
  'backoff',
  'crashlooping',
  'escalated',
  'dead',
  'unknown',
] as const;
export type AgentState = (typeof agentStates)[number];

/** One piece of evidence for a state, strongest first: where it comes from, what it says, how old it is. */
export interface Evidence {
  source: 'event' | 'gt' | 'process' | 'screen' | 'file';
  text: string;
  age_s: number | null;
}

export interface AgentStatus {
  agent_id: string;
  role: string;
  runtime: string;
  strategy: string | null;
  pane_id: string | null;
  pid: number | null;
  worktree: string | null;
  branch: string | null;
  /** The file's content, or what is wrong with it. */
  hook: Hook | { status: 'corrupt'; quarantine: string | null };
  freshness: { status: string; note: string | null; proposal: string | null; at: string; source: string } | null;
  state: AgentState;
  /** The state's facts in a few words: deadline, note, kind, until, gate, exit. */
  detail: string;
  /** Since when, ISO; null where nothing tells. */
  since: string | null;
  /** Seconds since the last activity. */
  idle_s: number | null;
  evidence: Evidence[];
  nudges: number;
  restarts: number;
  escalated: boolean;
  /** A nudge that waits for a safe moment: its text's first words and why it waits. */
  pending_nudge: { nudge_id: string; why: string; at: string } | null;
}

export interface TownStatus {
  town: { root: string; name: string; running: boolean; socket: string; server: 'ok' | 'gone' | 'unknown' };
  deacon: { running: boolean; pid: number | null; tick_at: string | null };
  agents: AgentStatus[];
  work: Record<'open' | 'hooked' | 'in_progress' | 'done' | 'merged' | 'failed' | 'blocked', number>;
  mail: { unread: number };
  escalations: { open: number };
  handoffs: { tree: string; armed: boolean; age_s: number | null }[];
}
