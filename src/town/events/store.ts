/**
 * The part of the state that events touch. A process of its own for each of them: what it does not open, it need not
 * load, and building the schemas of these five alone would take longer than everything it does (`domain/event-shapes.ts`).
 */
import type { Bead } from '../../domain/bead.ts';
import { agentShape, beadShape, gateShape, hookShape, sessionShape } from '../../domain/event-shapes.ts';
import type { Hook } from '../../domain/hook.ts';
import { isId } from '../../domain/ids.ts';
import type { AgentRecord, Gate, SessionRecord } from '../../domain/records.ts';
import { checkedBy } from '../../domain/shape.ts';
import { openCollection } from '../../store/collection.ts';
import { readHeartbeat, touchHeartbeat } from '../../store/heartbeat.ts';
import { appendJournal } from '../../store/journal.ts';
import { statePaths } from '../../store/paths.ts';
import type { Store } from '../../store/store.ts';

export type EventStore = Pick<Store, 'paths' | 'hooks' | 'beads' | 'agents' | 'sessions' | 'gates' | 'heartbeat'> & {
  readonly journal: Pick<Store['journal'], 'append'>;
};

/** As `openStore`: opens nothing and makes nothing. */
export function openEventStore(stateDir: string): EventStore {
  const paths = statePaths(stateDir);
  const agent = { stateDir, isName: (name: string) => isId('agent', name), idKey: 'agent_id' };
  return {
    paths,
    hooks: openCollection({ ...agent, dir: paths.hooksDir, path: paths.hook, schema: checkedBy<Hook>(hookShape) }),
    agents: openCollection({
      ...agent,
      dir: paths.agentsDir,
      path: paths.agent,
      schema: checkedBy<AgentRecord>(agentShape),
    }),
    gates: openCollection({
      ...agent,
      dir: paths.gatesDir,
      path: paths.gate,
      schema: checkedBy<Gate>(gateShape),
      idKey: null,
    }),
    beads: openCollection({
      stateDir,
      dir: paths.workDir,
      path: paths.bead,
      schema: checkedBy<Bead>(beadShape),
      isName: (name) => isId('bead', name),
      idKey: 'bead_id',
    }),
    sessions: openCollection({
      stateDir,
      dir: paths.sessionsDir,
      path: paths.session,
      schema: checkedBy<SessionRecord>(sessionShape),
      isName: (name) => isId('session', name),
      idKey: 'session_id',
      // No session outlives a power cut, and waiting for the disk would cost more than all the rest of an event.
      flush: false,
    }),
    heartbeat: {
      touch: (agentId, kind, word) => touchHeartbeat(paths, agentId, kind, word),
      read: (agentId, kind) => readHeartbeat(paths, agentId, kind),
    },
    journal: { append: (entry) => appendJournal(paths, entry) },
  };
}
