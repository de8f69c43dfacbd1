/** The row of the control pane that a session makes of an agent which runs and has no work: state and detail. */
import { newAgentLedger } from '../../../src/domain/agent-ledger.ts';
import { standardPace } from '../../../src/domain/backoff.ts';
import { deriveState } from '../../../src/domain/state.ts';
import { toolsInFlight } from '../../../src/town/events/tool-calls.ts';
import { agentId, type EventTown } from './event-town.ts';

export function rowOf(town: EventTown, sessionId: string, now: number): { state: string; detail: string } {
  const { store } = town;
  const { state, detail } = deriveState(
    {
      townRunning: true,
      agent: { kind: 'ok', value: { ...town.agent(), ready_at: town.agent().started_at } },
      hook: store.hooks.read(agentId),
      bead: null,
      session: town.session(sessionId),
      heartbeat: { tool: store.heartbeat.read(agentId, 'tool'), event: store.heartbeat.read(agentId, 'event') },
      openTools: toolsInFlight(store, agentId)?.tools ?? [],
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
  return { state, detail };
}
