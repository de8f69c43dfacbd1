import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newAgentLedger } from '../../src/domain/agent-ledger.ts';
import { standardPace } from '../../src/domain/backoff.ts';
import { newLadder } from '../../src/domain/ladder.ts';
import type { PaneProbe } from '../../src/domain/probe.ts';
import type { AgentRecord, SessionRecord } from '../../src/domain/records.ts';
import type { ScreenReading } from '../../src/domain/screen.ts';
import { deriveState } from '../../src/domain/state.ts';
import type { StateFacts } from '../../src/domain/state-picture.ts';
import { agentStates } from '../../src/domain/status.ts';
import { toIso } from '../../src/domain/time.ts';

const now = Date.parse('2026-03-05T12:00:00Z');
const ago = (seconds: number): number => now - seconds * 1000;

const alive: PaneProbe = {
  answer: 'yes',
  pane_id: '%1',
  window_id: '@1',
  pid: 100,
  dead: false,
  exit: null,
  command: 'claude',
  title: '',
  in_mode: false,
};
const ended = (exit: number | null): PaneProbe => ({ ...alive, dead: true, exit });
const noTell: PaneProbe = { answer: 'unknown', why: 'tmux did not answer' };

const record = (fields: Partial<AgentRecord> = {}): StateFacts['agent'] => ({
  kind: 'ok',
  value: {
    agent_id: 'a',
    role: 'polecat',
    runtime: 'claude',
    instance_id: 'i-1',
    pane_id: '%1',
    pid: 100,
    pid_started: 'x',
    started_at: toIso(ago(3_600)),
    session_id: 's-1',
    previous_sessions: [],
    worktree: null,
    branch: null,
    stop_intent: false,
    strategy: 'hook_injection',
    fallback_at: null,
    ready_at: toIso(ago(3_590)),
    first_event_at: null,
    start_error: null,
    start_text: null,
    start_receipt: null,
    primed_at: toIso(ago(3_600)),
    ...fields,
  },
});

type Status = 'empty' | 'pending' | 'active' | 'completed';
const hook = (status: Status, quietS = 10, assignedS = quietS): StateFacts['hook'] => ({
  kind: 'ok',
  value: {
    agent_id: 'a',
    status,
    work_item: status === 'empty' ? null : { bead_id: 'gt-abc12', title: 't', assigned_at: toIso(ago(assignedS)) },
    last_activity: toIso(ago(quietS)),
  },
});

const session = (fields: Partial<SessionRecord>): SessionRecord => ({
  session_id: 's-1',
  agent_id: 'a',
  governed: true,
  status: 'active',
  note: null,
  proposal: null,
  tool_use_id: null,
  updated_at: toIso(ago(20)),
  source: 'event',
  ...fields,
});

const facts = (given: Partial<StateFacts> = {}): StateFacts => ({
  townRunning: true,
  agent: record(),
  hook: hook('empty'),
  bead: null,
  session: null,
  heartbeat: { tool: null, event: null },
  openTools: [],
  probe: alive,
  exitMeaning: null,
  screen: null,
  limit: null,
  gates: [],
  ladder: null,
  ledger: null,
  thresholds: { stallMs: 300_000, cooldownMs: 60_000 },
  pace: standardPace,
  spawnMs: 60_000,
  ...given,
});

const stateOf = (given: Partial<StateFacts>): string => deriveState(facts(given), now).state;
const gate = (kind: 'paused' | 'estop' = 'paused') => ({
  gate: { kind, reason: 'lunch', opened_at: toIso(ago(60)), by: 'operator' },
});
const beat = (seconds: number) => ({ at: ago(seconds), word: 'Bash' });
const limitScreen = { kind: 'limited', until: now + 600_000, line: 'usage limit reached' } as const;
const dialogScreen = { kind: 'dialog', dialog: 'trust', hint: 'look at the pane' } as const;

describe('DESIGN section 7: each word of the list', () => {
  test.each<[string, Partial<StateFacts>]>([
    ['stopped', { agent: { kind: 'absent' }, probe: { answer: 'no' } }],
    ['stopped', { agent: record({ stop_intent: true }), probe: { answer: 'no' } }],
    ['stopped', { agent: record({ stop_intent: true }) }],
    ['stopped', { townRunning: false, probe: { answer: 'no' }, hook: hook('pending') }],
    ['spawning', { agent: record({ started_at: toIso(ago(5)), ready_at: null }) }],
    ['idle', {}],
    ['pending', { hook: hook('pending') }],
    ['working', { hook: hook('active') }],
    ['asking', { hook: hook('active'), session: session({ status: 'asking', note: 'Which port?' }) }],
    ['asking', { session: session({ status: 'parked' }) }],
    ['asking', { session: session({ status: 'awaiting', proposal: 'ready to merge' }) }],
    ['dialog', { hook: hook('active', 400), screen: dialogScreen }],
    ['dialog', { hook: hook('active'), session: session({ permission: { tool: 'Bash', at: toIso(ago(5)) } }) }],
    ['limited', { hook: hook('active', 400), screen: limitScreen }],
    ['limited', { hook: hook('active', 50), limit: { until: null, at: ago(40), line: 'limit' } }],
    ['stalled', { hook: hook('active', 301) }],
    ['done', { hook: hook('completed') }],
    ['failed', { hook: hook('completed'), bead: { status: 'failed' } }],
    ['paused', { hook: hook('active', 4_000), gates: [gate()] }],
    ['paused', { gates: [gate('estop')], probe: ended(0) }],
    [
      'backoff',
      {
        probe: ended(1),
        ledger: { ...newAgentLedger('a'), starts: [{ at: ago(10), outcome: 'done', run: null }] },
        agent: record({ started_at: toIso(ago(10)) }),
      },
    ],
    ['crashlooping', { probe: ended(1), ledger: { ...newAgentLedger('a'), crashloopAt: ago(10) } }],
    [
      'escalated',
      { hook: hook('active', 2_000), ladder: { ...newLadder('gt-abc12', 'a', ago(3_000)), escalatedAt: ago(100) } },
    ],
    ['dead', { probe: ended(1) }],
    ['dead', { probe: { answer: 'no' }, hook: hook('active') }],
    ['dead', { probe: { answer: 'no' }, agent: record({ start_error: 'no program "claude" on PATH' }) }],
    ['unknown', { probe: noTell }],
    ['unknown', { hook: { kind: 'corrupt', reason: 'empty', quarantine: null } }],
    ['unknown', { agent: { kind: 'corrupt', reason: 'empty', quarantine: null }, probe: { answer: 'no' } }],
  ])('%s', (state, given) => {
    expect(stateOf(given)).toBe(state);
  });
});

describe('what is stalled', () => {
  test('decision 3: strictly more than the threshold', () => {
    expect(stateOf({ hook: hook('active', 300) })).toBe('working');
    expect(stateOf({ hook: hook('active', 300.001) })).toBe('stalled');
  });

  test('decision 2: work that was never begun, too', () => {
    expect(stateOf({ hook: hook('pending', 301) })).toBe('stalled');
  });

  test('decision 3: the clock starts at the latest of activity, tool heartbeat, assignment, prime and restart', () => {
    const quiet = hook('active', 900);
    expect(stateOf({ hook: quiet, heartbeat: { tool: beat(10), event: null } })).toBe('working');
    expect(stateOf({ hook: hook('active', 900, 10) })).toBe('working');
    expect(stateOf({ hook: quiet, agent: record({ primed_at: toIso(ago(10)) }) })).toBe('working');
    const restarts = [{ n: 1, at: ago(10), outcome: 'done', run: null }];
    expect(stateOf({ hook: quiet, ladder: { ...newLadder('gt-abc12', 'a', 0), restarts } })).toBe('working');
    expect(stateOf({ hook: quiet, heartbeat: { tool: null, event: beat(10) } })).toBe('stalled');
  });

  test('a heartbeat in the future is not believed: it hides no stall', () => {
    expect(stateOf({ hook: hook('active', 900), heartbeat: { tool: beat(-3_600), event: null } })).toBe('stalled');
  });

  test('field report 17: a heartbeat older than this run does not count against it', () => {
    const given = { hook: hook('active', 5 * 3_600), heartbeat: { tool: beat(5 * 3_600), event: null } };
    expect(stateOf({ ...given, agent: record({ started_at: toIso(ago(20)), ready_at: null }) })).not.toBe('stalled');
  });

  test('an open tool call with a live process is no stall', () => {
    expect(deriveState(facts({ hook: hook('active', 900), openTools: ['Bash'] }), now)).toMatchObject({
      state: 'working',
      detail: 'gt-abc12, runs Bash',
    });
  });

  test('a tool in flight is the first evidence, with the age of its call; subagents are counted', () => {
    const { evidence } = deriveState(
      facts({
        hook: hook('active', 90),
        openTools: ['Edit', 'Bash'],
        toolSince: ago(75),
        session: session({ subagents: ['one'] }),
        heartbeat: { tool: beat(75), event: beat(70) },
      }),
      now,
    );
    expect(evidence[0]).toEqual({ source: 'event', text: 'runs Bash', age_s: 75 });
    expect(evidence).toContainEqual({ source: 'event', text: '1 subagent runs', age_s: null });
    const ended = deriveState(facts({ openTools: ['Bash'], probe: { ...alive, dead: true } }), now);
    expect(ended.evidence.map(({ text }) => text)).not.toContain('runs Bash');
  });

  test('field report 40: events that should come and do not are told with their likely cause, once the start is over', () => {
    const cause = 'the folder is not trusted yet';
    const silent = (seconds: number, given: Partial<StateFacts> = {}) =>
      deriveState(
        facts({
          agent: record({ started_at: toIso(ago(seconds)), first_event_at: null }),
          silentCause: cause,
          ...given,
        }),
        now,
      );
    expect(silent(61).detail).toBe(`its events are silent: ${cause}`);
    expect(silent(61).evidence[0]).toEqual({ source: 'event', text: `no event since its start: ${cause}`, age_s: 61 });
    expect(silent(61, { hook: hook('active', 5) }).detail).toBe('gt-abc12, its events are silent');
    expect(silent(59).detail).not.toContain('silent');
    expect(silent(61, { silentCause: null }).detail).toBe('');
    expect(silent(61, { probe: { ...alive, dead: true } }).detail).not.toContain('silent');
  });

  test('since is when the threshold was crossed', () => {
    expect(deriveState(facts({ hook: hook('active', 400) }), now).since).toBe(ago(100));
  });
});

describe('what the screen may say', () => {
  test('field report 21: text about limits from an agent that moves is nothing', () => {
    const given = { hook: hook('active', 5), heartbeat: { tool: beat(5), event: beat(5) } };
    expect(stateOf({ ...given, screen: limitScreen })).toBe('working');
    expect(stateOf({ ...given, screen: dialogScreen })).toBe('working');
    expect(
      stateOf({ hook: hook('active', 400), heartbeat: { tool: beat(400), event: beat(400) }, screen: limitScreen }),
    ).toBe('limited');
  });

  test('a trust dialog before any sign of life is shown at once', () => {
    const agent = record({ started_at: toIso(ago(3)), ready_at: null });
    expect(stateOf({ agent, hook: hook('pending', 4), screen: dialogScreen })).toBe('dialog');
  });

  test('a banner whose time is over is an old one', () => {
    expect(stateOf({ hook: hook('active', 400), screen: { ...limitScreen, until: ago(1) } })).toBe('stalled');
  });
});

describe('whose facts they are', () => {
  test('a declaration of the run before is nobody’s any more', () => {
    expect(stateOf({ session: session({ status: 'asking', instance_id: 'i-0' }) })).toBe('idle');
    expect(stateOf({ session: session({ status: 'asking', instance_id: 'i-1' }) })).toBe('asking');
    expect(stateOf({ session: session({ status: 'asking', governed: false }) })).toBe('idle');
  });

  test('the ladder of another bead does not escalate this one', () => {
    const ladder = { ...newLadder('gt-zzz99', 'a', 0), escalatedAt: ago(100) };
    expect(stateOf({ hook: hook('active', 400), ladder })).toBe('stalled');
  });

  test('work that resumed after an escalation has taken it back', () => {
    const ladder = { ...newLadder('gt-abc12', 'a', 0), escalatedAt: ago(100) };
    expect(stateOf({ hook: hook('active', 10), ladder })).toBe('working');
  });

  test('what sling wrote is no sign of life of an agent that starts', () => {
    expect(stateOf({ agent: record({ started_at: toIso(ago(5)), ready_at: null }), hook: hook('pending', 1) })).toBe(
      'spawning',
    );
  });
});

describe('for any facts at all', () => {
  const times = fc.integer({ min: -1_000, max: 20_000 }).map(ago);
  const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });
  const beats = maybe(fc.record({ at: times, word: fc.constantFrom('', 'Bash') }));
  const iso = times.map(toIso);
  const probes = fc.oneof(
    fc.constant(alive),
    fc.constantFrom(ended(0), ended(1), ended(null)),
    fc.constant<PaneProbe>({ answer: 'no' }),
    fc.constant(noTell),
  );
  const bad = fc.constantFrom(
    { kind: 'absent' } as const,
    { kind: 'corrupt', reason: 'x', quarantine: null } as const,
    { kind: 'unreadable', reason: 'x' } as const,
  );
  const any: fc.Arbitrary<StateFacts> = fc.record({
    townRunning: fc.boolean(),
    agent: fc.oneof(
      bad,
      fc
        .record({
          started_at: maybe(iso),
          ready_at: maybe(iso),
          primed_at: maybe(iso),
          stop_intent: fc.boolean(),
          start_error: maybe(fc.constant('e')),
        })
        .map(record),
    ),
    hook: fc.oneof(
      bad,
      fc
        .tuple(
          fc.constantFrom<Status>('empty', 'pending', 'active', 'completed'),
          fc.integer({ min: -100, max: 9_000 }),
          fc.nat(9_000),
        )
        .map(([status, quiet, assigned]) => hook(status, quiet, assigned)),
    ),
    bead: maybe(fc.record({ status: fc.constantFrom('hooked', 'in_progress', 'failed') })),
    session: maybe(
      fc
        .record({
          status: fc.constantFrom('active', 'awaiting', 'asking', 'parked', 'idle', 'error'),
          updated_at: iso,
          governed: fc.boolean(),
        })
        .map(session),
    ),
    heartbeat: fc.record({ tool: beats, event: beats }),
    openTools: fc.constantFrom([], ['Bash']),
    probe: probes,
    exitMeaning: maybe(fc.constant('folder not trusted')),
    screen: maybe(
      fc.constantFrom<ScreenReading[]>(
        limitScreen,
        dialogScreen,
        { kind: 'ready', draft: '' },
        { kind: 'busy', draft: '' },
        { kind: 'unknown' },
      ),
    ),
    limit: maybe(fc.record({ until: maybe(times), at: times, line: fc.constant('limit') })),
    gates: fc.constantFrom([], [gate()]),
    ladder: maybe(
      fc.record({ escalatedAt: maybe(times) }).map((some) => ({ ...newLadder('gt-abc12', 'a', 0), ...some })),
    ),
    ledger: maybe(
      fc
        .record({ crashloopAt: maybe(times), floorAt: maybe(times) })
        .map((some) => ({ ...newAgentLedger('a'), ...some })),
    ),
    thresholds: fc.constant({ stallMs: 300_000, cooldownMs: 60_000 }),
    pace: fc.constant(standardPace),
    spawnMs: fc.constant(60_000),
  });
  const always = (holds: (given: StateFacts, said: ReturnType<typeof deriveState>) => boolean): void =>
    fc.assert(
      fc.property(any, (given) => holds(given, deriveState(given, now))),
      { numRuns: 2_000 },
    );

  test('there is a state, one of the list, with known times never after now', () => {
    always(
      (_given, { state, since, evidence }) =>
        agentStates.includes(state) && (since ?? 0) <= now && evidence.every(({ age_s }) => (age_s ?? 0) >= 0),
    );
  });

  test('decision 17: a probe that cannot tell makes nobody dead, stalled, in back-off or crash-looping', () => {
    always(
      ({ probe }, { state }) =>
        probe.answer !== 'unknown' || !['dead', 'stalled', 'backoff', 'crashlooping'].includes(state),
    );
  });

  test('a live process makes nobody dead, in back-off or crash-looping', () => {
    always(
      ({ probe }, { state }) =>
        !(probe.answer === 'yes' && !probe.dead) || !['dead', 'backoff', 'crashlooping'].includes(state),
    );
  });

  test('decision 11: an open gate leaves no stall', () => {
    always(
      ({ gates }, { state }) => gates.length === 0 || !['stalled', 'escalated', 'pending', 'working'].includes(state),
    );
  });

  test('declared state never comes from the screen: asking needs a declaration', () => {
    always(
      ({ session: said }, { state }) =>
        state !== 'asking' || ['asking', 'awaiting', 'parked'].includes(said?.status ?? ''),
    );
  });

  test('a corrupt hook is never idle, done or stalled', () => {
    always(({ hook: { kind } }, { state }) => kind !== 'corrupt' || state === 'unknown');
  });

  test('an agent that was stopped on purpose is stopped', () => {
    always(
      ({ agent, hook: { kind } }, { state }) =>
        !(agent.kind === 'ok' && agent.value.stop_intent && (kind === 'ok' || kind === 'absent')) ||
        state === 'stopped',
    );
  });
});
