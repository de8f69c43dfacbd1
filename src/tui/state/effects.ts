/** What a key asks the town to do: data, carried out by `perform.ts` in the background. */
import type { ReaderEffect } from '../../domain/handoff-reader.ts';
import type { Decision } from '../../domain/measures.ts';

export type AgentVerb =
  | 'clear'
  | 'nudge'
  | 'restart'
  | 'stop'
  | 'start'
  | 'interrupt'
  | 'focus'
  | 'pause'
  | 'resume'
  | 'reset'
  | 'mode'
  | 'cancel mode';

export type Effect =
  /** One call for each agent. `text`: the nudge, the reason of a forced clear or of a pause, a mode with its goal; null where none is meant. */
  | { kind: 'agents'; verb: AgentVerb; agents: readonly string[]; text: string | null }
  /** The bead by id, or a new one by title; null agent lets the town pick. */
  | { kind: 'sling'; bead: { id: string } | { title: string }; agent: string | null }
  | { kind: 'town'; verb: 'pause' | 'resume' | 'estop' | 'thaw' | 'down' | 'detach'; text: string }
  | { kind: 'acknowledge'; escalationId: string }
  | { kind: 'approval'; requestId: string; agentId: string; behavior: 'allow' | 'deny' }
  | { kind: 'bead'; verb: 'reopen' | 'close'; beadId: string }
  /** Reads a tree's handoff from the disk, to open it or to see whether it is still the same. */
  | { kind: 'read-handoff'; tree: string }
  | { kind: 'handoff'; effect: ReaderEffect }
  | { kind: 'settle-request'; agentId: string; retry: boolean }
  | { kind: 'load-measures' }
  | { kind: 'decide'; proposalId: string; decision: Decision }
  | { kind: 'load-mail' }
  | { kind: 'mark-read'; mailId: string };
