/** The state of one town, typed: what every other part reads and changes it with. */
import { join } from 'node:path';
import type { Bead } from '../domain/bead.ts';
import { agentShape, beadShape, gateShape, hookShape, sessionShape } from '../domain/event-shapes.ts';
import type { Hook } from '../domain/hook.ts';
import { isId } from '../domain/ids.ts';
import {
  type AgentRecord,
  type Escalation,
  escalationSchema,
  type Gate,
  type Lease,
  type Ledger,
  leaseSchema,
  ledgerSchema,
  type Nudge,
  nudgeSchema,
  type SessionRecord,
  type TownRecord,
  townSchema,
} from '../domain/records.ts';
import { type Checked, checkedBy } from '../domain/shape.ts';
import { type Collection, openCollection } from './collection.ts';
import { type Beat, type HeartbeatKind, readHeartbeat, touchHeartbeat } from './heartbeat.ts';
import { appendJournal, tailJournal } from './journal.ts';
import type { LockOptions } from './lock.ts';
import { type MailStore, openMail } from './mailbox.ts';
import { type StatePaths, statePaths } from './paths.ts';
import { type RecordRead, readRecord, removeRecord, type Updated, updateRecord } from './record.ts';

export interface Store {
  readonly paths: StatePaths;
  readonly hooks: Collection<Hook>;
  readonly beads: Collection<Bead>;
  readonly agents: Collection<AgentRecord>;
  readonly sessions: Collection<SessionRecord>;
  /** By agent id, bead id or `town`. */
  readonly gates: Collection<Gate>;
  readonly escalations: Collection<Escalation>;
  /** The deacon's memory of each bead. */
  readonly ledgers: Collection<Ledger>;
  readonly town: Single<TownRecord>;
  readonly lease: Single<Lease>;
  /** The latest nudge to an agent (latest wins), and its reply to the deacon. */
  nudge(agentId: string): Single<Nudge>;
  nudgeReply(agentId: string): Single<Nudge>;
  readonly mail: MailStore;
  readonly heartbeat: {
    touch(agentId: string, kind: HeartbeatKind, word: string): void;
    read(agentId: string, kind: HeartbeatKind): Beat | null;
  };
  readonly journal: {
    append(entry: Parameters<typeof appendJournal>[1]): void;
    tail(count: number): ReturnType<typeof tailJournal>;
  };
  /** Any other record below the state folder, by its relative path. */
  record<T>(relativePath: string, schema: Checked<T>): Single<T>;
}

/** One record with a fixed place. */
interface Single<T> {
  readonly path: string;
  read(): RecordRead<T>;
  update(change: (current: T | null) => T | null, options?: LockOptions): Promise<Updated<T>>;
  remove(onlyIf?: (read: RecordRead<T>) => boolean, options?: LockOptions): Promise<boolean>;
}

/** Opens nothing and makes nothing: a state folder that is missing reads as absent records. `stateDir` is absolute. */
export function openStore(stateDir: string): Store {
  const paths = statePaths(stateDir);
  const single = <T>(path: string, schema: Checked<T>): Single<T> => {
    const place = { stateDir, path, schema, idKey: null };
    return {
      path,
      read: () => readRecord(place),
      update: (change, options) => updateRecord(place, change, options),
      remove: (onlyIf, options) => removeRecord(place, onlyIf, options),
    };
  };
  const isAgent = (name: string): boolean => isId('agent', name);
  const isBead = (name: string): boolean => isId('bead', name);
  const isSession = (name: string): boolean => isId('session', name);
  const collection = <T>(
    dir: string,
    path: (id: string) => string,
    schema: Checked<T>,
    isName: (name: string) => boolean,
    idKey: string | null,
  ): Collection<T> => openCollection({ stateDir, dir, path, schema, isName, idKey });

  return {
    paths,
    hooks: collection(paths.hooksDir, paths.hook, checkedBy<Hook>(hookShape), isAgent, 'agent_id'),
    beads: collection(paths.workDir, paths.bead, checkedBy<Bead>(beadShape), isBead, 'bead_id'),
    agents: collection(paths.agentsDir, paths.agent, checkedBy<AgentRecord>(agentShape), isAgent, 'agent_id'),
    sessions: collection(
      paths.sessionsDir,
      paths.session,
      checkedBy<SessionRecord>(sessionShape),
      isSession,
      'session_id',
    ),
    gates: collection(paths.gatesDir, paths.gate, checkedBy<Gate>(gateShape), isAgent, null),
    escalations: collection(paths.escalationsDir, paths.escalation, escalationSchema, isSession, 'escalation_id'),
    ledgers: collection(paths.ledgersDir, paths.ledger, ledgerSchema, isBead, 'bead_id'),
    town: single(paths.town, townSchema),
    lease: single(paths.lease, leaseSchema),
    nudge: (agentId) => single(paths.nudge(agentId), nudgeSchema),
    nudgeReply: (agentId) => single(paths.nudgeReply(agentId), nudgeSchema),
    mail: openMail(paths),
    heartbeat: {
      touch: (agentId, kind, word) => touchHeartbeat(paths, agentId, kind, word),
      read: (agentId, kind) => readHeartbeat(paths, agentId, kind),
    },
    journal: {
      append: (entry) => appendJournal(paths, entry),
      tail: (count) => tailJournal(paths, count),
    },
    record: (relativePath, schema) => single(join(stateDir, relativePath), schema),
  };
}
