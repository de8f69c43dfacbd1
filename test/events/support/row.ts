/** The row of the control pane that a session makes of an agent which runs and has no work: state and detail. */
import { newAgentLedger } from '../../../src/domain/agent-ledger.ts';
import { standardPace } from '../../../src/domain/backoff.ts';
import type { AgentRecord, SessionRecord } from '../../../src/domain/records.ts';
import { deriveState } from '../../../src/domain/state.ts';
import type { Store } from '../../../src/store/store.ts';
import { toolsInFlight } from '../../../src/town/events/tool-calls.ts';
import { agentId } from './event-town.ts';

interface Known {
  store: Store;
  agent(): AgentRecord;
  session(id: string): SessionRecord | null;
}

export interface Row {
  state: string;
  detail: string;
  /** What the evidence says, strongest first. */
  evidence: string[];
}

export function rowOf(town: Known, sessionId: string, now: number): Row {
  const { store } = town;
  const inFlight = toolsInFlight(store, agentId);
  const { state, detail, evidence } = deriveState(
    {
      townRunning: true,
      agent: { kind: 'ok', value: { ...town.agent(), ready_at: town.agent().started_at } },
      hook: store.hooks.read(agentId),
      bead: null,
      session: town.session(sessionId),
      heartbeat: { tool: store.heartbeat.read(agentId, 'tool'), event: store.heartbeat.read(agentId, 'event') },
      openTools: inFlight?.tools ?? [],
      toolSince: inFlight?.since ?? null,
      probe: {
        answer: 'yes',
        pane_id: '%1',
        window_id: '@1',
        pid: 1,
        dead: false,
        exit: null,
        command: 'claude',
        title: '',
        in_mode: false,
      },
      exitMeaning: null,
      screen: null,
      limit: null,
      gates: [],
      ladder: null,
      ledger: newAgentLedger(agentId),
      thresholds: { stallMs: 300_000, cooldownMs: 60_000 },
      pace: standardPace,
      spawnMs: 45_000,
    },
    now,
  );
  return { state, detail, evidence: evidence.map(({ text }) => text) };
}
