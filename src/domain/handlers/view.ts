/** What the control pane shows of handlers: in an agent's row, in the queue of approvals, and in the list of all. */
import type { Role } from '../role.ts';
import type { HandlerGroup } from './names.ts';

export interface SubagentView {
  id: string;
  type: string;
  task: string;
  /** How deep below the session: 0 for its own. */
  depth: number;
  /** ISO time. */
  started_at: string;
  /** Null while it runs. */
  outcome: string | null;
}

/** What the handlers know of one session. */
export interface SessionInsight {
  /** Whole percent of the context window when it was last measured; null: not known. */
  context: number | null;
  /** Those that run and the last few that ended, parents before their children. */
  subagents: readonly SubagentView[];
  /** What helps, where only the human can; null for a sound session. */
  advice: string | null;
}

export const noInsight: SessionInsight = { context: null, subagents: [], advice: null };

export interface ApprovalView {
  request_id: string;
  agent_id: string;
  tool: string;
  what: string;
  at: string;
  /** ISO time; the runtime asks by itself from then on. Null where nobody else is asked. */
  until: string | null;
}

export interface HandlerView {
  name: string;
  group: HandlerGroup | 'own';
  /** The seed's names of the events that drive it; empty where none does. */
  events: readonly string[];
  priority: number;
  /** On for at least one role. */
  enabled: boolean;
  roles: readonly Role[];
  does: string;
  runtimes: readonly string[];
  /** By runtime, what the town relies on there. */
  relies: Readonly<Record<string, string>>;
}
