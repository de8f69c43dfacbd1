/** What a key asks the town to do: data, carried out by `perform.ts` in the background. */
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
  | { kind: 'bead'; verb: 'reopen' | 'close'; beadId: string }
  | { kind: 'load-mail' }
  | { kind: 'mark-read'; mailId: string };
