/** Every path of a town, and nowhere else. Names are checked here: nothing malformed ever becomes a path. */
import { dirname } from 'node:path';
import { type IdKind, parseId } from '../domain/ids.ts';

export type StatePaths = ReturnType<typeof statePaths>;

/**
 * The paths below one state folder (`.chipset/state`, absolute). Functions take ids and throw a usage error (exit 1)
 * for a malformed one; nothing is touched on disk. DESIGN section 5 is the table this spells out.
 */
export function statePaths(stateDir: string) {
  // Put together by hand: normalizing two dozen paths that are normal takes an event a hundredth of Node's start.
  const at = (...parts: string[]): string => `${stateDir}/${parts.join('/')}`;
  const chipsetDir = dirname(stateDir);
  const file = (folder: string, kind: IdKind) => (id: string) => at(folder, `${parseId(kind, id)}.json`);
  return {
    stateDir,
    /** `.chipset` itself. */
    chipsetDir,
    binDir: `${chipsetDir}/bin`,
    worktreesDir: `${chipsetDir}/worktrees`,
    worktree: (agentId: string) => `${chipsetDir}/worktrees/${parseId('agent', agentId)}`,
    town: at('town.json'),
    hooksDir: at('hooks'),
    hook: file('hooks', 'agent'),
    agentsDir: at('agents'),
    agent: file('agents', 'agent'),
    workDir: at('work'),
    bead: file('work', 'bead'),
    sessionsDir: at('sessions'),
    session: file('sessions', 'session'),
    heartbeatDir: at('heartbeat'),
    heartbeat: (agentId: string, kind: 'tool' | 'event') => at('heartbeat', `${parseId('agent', agentId)}.${kind}`),
    nudgeDir: at('nudge'),
    nudge: (agentId: string) => at('nudge', parseId('agent', agentId), 'latest.json'),
    /** A reply to the deacon, by the agent that wrote it. */
    nudgeReply: (agentId: string) => at('nudge', 'deacon', 'from', `${parseId('agent', agentId)}.json`),
    mailDir: at('mail'),
    mailbox: (agentId: string) => at('mail', parseId('agent', agentId)),
    mailArchive: (agentId: string) => at('mail', parseId('agent', agentId), 'archive'),
    deaconDir: at('deacon'),
    lease: at('deacon', 'lease.json'),
    ledgersDir: at('deacon', 'beads'),
    ledger: file('deacon/beads', 'bead'),
    /** What the deacon remembers of each agent. */
    agentLedgersDir: at('deacon', 'agents'),
    gatesDir: at('gates'),
    /** An agent's, a bead's, or `town`. */
    gate: (target: string) => at('gates', `${parseTarget(target)}.json`),
    escalationsDir: at('escalations'),
    escalation: file('escalations', 'session'),
    /** Values that did not match, by agent; wishes to dissolve a handoff that waits for its human. */
    handoffAttempts: (agentId: string) => at('handoff', 'attempts', parseId('agent', agentId)),
    handoffRequestsDir: at('handoff', 'requests'),
    handoffRequest: file('handoff/requests', 'agent'),
    modesDir: at('modes'),
    sessionModes: (sessionId: string) => at('modes', parseId('session', sessionId)),
    mode: (sessionId: string, mode: string) =>
      at('modes', parseId('session', sessionId), `${parseId('agent', mode)}.json`),
    /** Runs of modes that were cancelled and must never act again. */
    cancelledModes: at('modes', 'cancelled.json'),
    handlersDir: at('handlers'),
    /** What a handler of events keeps: for the town, or for one session. */
    handlerState: (handler: string) => at('handlers', `${parseId('agent', handler)}.json`),
    handlerSessionState: (handler: string, sessionId: string) =>
      at('handlers', parseId('agent', handler), `${parseId('session', sessionId)}.json`),
    swarmDb: at('modes', 'swarm.db'),
    journal: at('events.jsonl'),
    journalRotated: at('events.1.jsonl'),
    metricsDir: at('metrics'),
    samples: at('metrics', 'samples.jsonl'),
    quarantineDir: at('quarantine'),
    locksDir: at('locks'),
    scrollbackDir: at('scrollback'),
  };
}

/** Agent and bead names have different shapes ("-" then at most 16), but every bead id is a legal agent name's shape. */
const parseTarget = (target: string): string => parseId('agent', target);
