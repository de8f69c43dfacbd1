/** A town in memory: views made by hand, a feed that is pushed, actions that are recorded and answered as told. */
import type { Bead } from '../../../src/domain/bead.ts';
import { noInsight } from '../../../src/domain/handlers/view.ts';
import type { ShownHandoff, ValueOutcome } from '../../../src/domain/handoff-reader.ts';
import type { HookStatus } from '../../../src/domain/hook.ts';
import type { Measures } from '../../../src/domain/measures.ts';
import { summarize } from '../../../src/domain/metrics.ts';
import { metricsLines } from '../../../src/domain/metrics-table.ts';
import type { JournalEntry, Mail } from '../../../src/domain/records.ts';
import type { AgentState } from '../../../src/domain/status.ts';
import { toIso } from '../../../src/domain/time.ts';
import type { ActionResult, AgentView, TownActions, TownFeed, TownView } from '../../../src/domain/view.ts';

/** All fakes live at this time unless told otherwise. */
export const fakeNow = Date.parse('2026-11-30T12:00:00.000Z');

export const hookOf = (agentId: string, status: HookStatus, beadId = 'gt-abc12', title = 'Fix the login redirect') => ({
  agent_id: agentId,
  status,
  work_item: status === 'empty' ? null : { bead_id: beadId, title, assigned_at: toIso(fakeNow - 600_000) },
  last_activity: toIso(fakeNow - 60_000),
});

export function fakeAgent(id: string, fields: Partial<AgentView> = {}): AgentView {
  const state: AgentState = fields.state ?? 'idle';
  const hook: HookStatus =
    state === 'idle' || state === 'stopped'
      ? 'empty'
      : state === 'done'
        ? 'completed'
        : state === 'pending'
          ? state
          : 'active';
  return {
    agent_id: id,
    role: 'polecat',
    runtime: 'claude',
    strategy: 'hook_injection',
    pane_id: state === 'stopped' ? null : '%3',
    pid: state === 'stopped' ? null : 4242,
    worktree: `/repo/.chipset/worktrees/${id}`,
    branch: `gastown/${id}`,
    hook: hookOf(id, hook),
    freshness: null,
    state,
    detail: '',
    since: toIso(fakeNow - 120_000),
    idle_s: 12,
    evidence: [
      { source: 'event', text: 'PostToolUse Bash', age_s: 12 },
      { source: 'process', text: 'alive', age_s: null },
    ],
    nudges: 0,
    restarts: 0,
    escalated: false,
    pending_nudge: null,
    modes: [],
    insight: noInsight,
    activity_at: fakeNow - 12_000,
    pulse: [0, 1, 2, 3, 1, 0, 0, 5, 8, 2, 1, 1],
    receipt: null,
    ...fields,
  };
}

export const fakeBead = (id: string, fields: Partial<Bead> = {}): Bead => ({
  bead_id: id,
  title: `Title of ${id}`,
  description: '',
  status: 'open',
  priority: 'P2',
  assignee: null,
  needs: [],
  created_at: toIso(fakeNow - 3_600_000),
  ...fields,
});

export const fakeEntry = (fields: Partial<JournalEntry> = {}): JournalEntry => ({
  at: toIso(fakeNow - 5_000),
  kind: 'hook.set',
  by: 'operator',
  message: 'something happened',
  ...fields,
});

export function fakeView(fields: Partial<TownView> = {}): TownView {
  return {
    town: { root: '/repo', name: 'myrepo', running: true, socket: '/tmp/gt/sock', server: 'ok' },
    deacon: { running: true, pid: 77, tick_at: toIso(fakeNow - 3_000) },
    agents: [],
    work: { open: 0, hooked: 0, in_progress: 0, done: 0, merged: 0, failed: 0, blocked: 0 },
    handoffs: [],
    requests: [],
    approvals: [],
    handlers: [],
    mail: { unread: 0 },
    beads: [],
    journal: [],
    escalations: [],
    notices: [],
    demo: false,
    ...fields,
  };
}

/** One agent in each of the states an operator meets, with journal, beads and an escalation. */
export function busyView(): TownView {
  const title = 'Fix the login redirect';
  return fakeView({
    demo: true,
    agents: [
      fakeAgent('polecat-alpha', { state: 'working', activity_at: fakeNow - 3_000 }),
      fakeAgent('polecat-bravo', {
        state: 'asking',
        runtime: 'claude',
        detail: 'Which database should the session store use: keep SQLite, or move to Postgres with the new schema?',
        hook: hookOf('polecat-bravo', 'active', 'gt-q7k2m', 'Move sessions out of memory'),
        evidence: [
          { source: 'event', text: 'PreToolUse AskUserQuestion', age_s: 130 },
          { source: 'screen', text: 'question on screen', age_s: 2 },
        ],
        activity_at: fakeNow - 130_000,
        pulse: [3, 5, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0],
      }),
      fakeAgent('polecat-charlie', {
        state: 'stalled',
        runtime: 'codex',
        strategy: 'startup_fallback',
        detail: 'no tool event for 9m, threshold 5m; nudged, restart in 1m',
        hook: hookOf('polecat-charlie', 'active', 'gt-9xw31', 'Port the importer to streams'),
        nudges: 2,
        restarts: 1,
        pending_nudge: { nudge_id: 'n1', why: 'half-typed text in the composer', at: toIso(fakeNow - 30_000) },
        activity_at: fakeNow - 540_000,
        pulse: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      }),
      fakeAgent('polecat-delta', {
        state: 'done',
        runtime: 'gemini',
        hook: hookOf('polecat-delta', 'completed', 'gt-zz901', '修复登录重定向 🎉 和会话'),
        receipt: { action: 'nudge', result: { kind: 'verified', proof: 'event' }, at: fakeNow - 60_000 },
        activity_at: fakeNow - 300_000,
      }),
      fakeAgent('polecat-echo', { state: 'idle', activity_at: null, pulse: Array<number>(12).fill(0) }),
      fakeAgent('crew-me', { state: 'stopped', role: 'crew', activity_at: null }),
    ],
    work: { open: 3, hooked: 0, in_progress: 3, done: 5, merged: 0, failed: 0, blocked: 1 },
    handoffs: [{ tree: '/repo', armed: true, age_s: 7_300 }],
    requests: [{ agent_id: 'crew-me', tree: '/repo', at: toIso(fakeNow - 130_000), why: 'attempts' }],
    approvals: [
      {
        request_id: 'p1',
        agent_id: 'polecat-alpha',
        tool: 'Bash',
        what: 'npm publish',
        at: toIso(fakeNow - 1_000),
        until: toIso(fakeNow + 4_000),
      },
    ],
    handlers: [
      {
        name: 'notepad',
        group: 'enhancement',
        events: ['SessionStart'],
        priority: 50,
        enabled: true,
        roles: ['polecat'],
        does: 'Gives its notes back to an agent.',
        runtimes: ['claude'],
        relies: {},
      },
    ],
    mail: { unread: 2 },
    beads: [
      fakeBead('gt-abc12', { title, status: 'in_progress', assignee: 'polecat-alpha' }),
      fakeBead('gt-r3ady', { title: 'Write the migration guide', priority: 'P1' }),
      fakeBead('gt-r4ady', { title: 'Remove the old flag' }),
      fakeBead('gt-n33ds', { title: 'Announce the release', needs: ['gt-abc12'] }),
      fakeBead('gt-zz901', { title: 'Repair the login', status: 'done', assignee: 'polecat-delta' }),
    ],
    journal: [
      fakeEntry({ kind: 'agent.started', by: 'operator', agent_id: 'polecat-alpha', message: 'started in %3' }),
      fakeEntry({ kind: 'hook.set', agent_id: 'polecat-alpha', bead_id: 'gt-abc12', message: 'slung gt-abc12' }),
      fakeEntry({ kind: 'hook.active', by: 'polecat-alpha', agent_id: 'polecat-alpha', message: 'first tool event' }),
      fakeEntry({ kind: 'delivery', agent_id: 'polecat-charlie', message: 'nudge queued: half-typed text' }),
      fakeEntry({ kind: 'agent.stalled', by: 'deacon', agent_id: 'polecat-charlie', message: 'no tool event for 9m' }),
      fakeEntry({ kind: 'hook.completed', agent_id: 'polecat-delta', bead_id: 'gt-zz901', message: 'gt done' }),
    ],
    escalations: [
      {
        escalation_id: 'e1',
        kind: 'restarts',
        agent_id: 'polecat-charlie',
        bead_id: 'gt-9xw31',
        message: 'restarted 3 times on this bead; needs you',
        opened_at: toIso(fakeNow - 60_000),
        acknowledged_at: null,
      },
    ],
  });
}

export interface FakeFeed extends TownFeed {
  push(view: TownView): void;
}

export function fakeFeed(first: TownView): FakeFeed {
  let view = first;
  const listeners = new Set<(view: TownView) => void>();
  return {
    current: () => view,
    subscribe(onView) {
      listeners.add(onView);
      onView(view);
      return () => listeners.delete(onView);
    },
    push(next) {
      view = next;
      for (const listener of listeners) listener(next);
    },
    close: async () => listeners.clear(),
  };
}

export interface RecordedActions extends TownActions {
  calls: { name: string; args: readonly unknown[] }[];
}

interface FakeParts {
  peek?: (agentId: string) => Promise<string[]>;
  measures?: Measures;
  mail?: Mail[];
  handoff?: (tree: string) => ShownHandoff;
  acknowledge?: () => string | null;
  dissolve?: (value: string) => ValueOutcome;
}

/** One agent that was measured, and a proposal of the learning loop that waits beside one that was decided. */
export const fakeMeasures = (): Measures => ({
  lines: metricsLines(
    summarize(
      [4, 9, 30, 200].map((seconds, index) => ({
        metric: 'response',
        at: toIso(fakeNow - 60_000 * (4 - index)),
        agent_id: 'polecat-alpha',
        runtime: 'claude',
        bead_id: `gt-m${index}`,
        seconds,
        session: null,
      })),
      () => 10,
    ),
  ),
  proposals: [
    {
      proposal_id: 'threshold-tuning-claude-150',
      rule: 'threshold_tuning',
      runtime: 'claude',
      setting: 'stall_detection',
      current: 120,
      proposed: 150,
      reason: 'stall detection fires often and few nudges are effective: fewer false positives with more patience',
      evidence: { nudges: 14, nudge_effective: 0.36, stalls_per_session: 1.4, sessions: 10 },
      status: 'open',
      created_at: toIso(fakeNow - 600_000),
      decided_at: null,
      decided_by: null,
    },
    {
      proposal_id: 'restart-policy-codex-advice',
      rule: 'restart_policy',
      runtime: 'codex',
      setting: null,
      current: null,
      proposed: null,
      reason: 'restarts fix the stalls: the agents need better initial context, improve their instructions',
      evidence: { restarted_episodes: 6, cured: 1 },
      status: 'rejected',
      created_at: toIso(fakeNow - 900_000),
      decided_at: toIso(fakeNow - 800_000),
      decided_by: 'operator',
    },
  ],
});

/** Every call is recorded; `answer` decides what it comes to. */
export function recordActions(
  answer: (name: string, args: readonly unknown[]) => Promise<ActionResult> = async (name) => ({
    kind: 'done',
    text: `${name} done`,
  }),
  parts: FakeParts = {},
): RecordedActions {
  const calls: RecordedActions['calls'] = [];
  const record =
    (name: string) =>
    (...args: unknown[]): Promise<ActionResult> => {
      calls.push({ name, args });
      return answer(name, args);
    };
  return {
    calls,
    async addBead(title) {
      calls.push({ name: 'addBead', args: [title] });
      return fakeBead('gt-new01', { title });
    },
    async peek(agentId, lines) {
      calls.push({ name: 'peek', args: [agentId, lines] });
      return parts.peek?.(agentId) ?? ['$ npm test', '', ' ✓ all 42 tests passed', '> '];
    },
    async measures() {
      calls.push({ name: 'measures', args: [] });
      return parts.measures ?? fakeMeasures();
    },
    decide: record('decide'),
    async mail() {
      calls.push({ name: 'mail', args: [] });
      return parts.mail ?? [];
    },
    async markRead(mailId) {
      calls.push({ name: 'markRead', args: [mailId] });
    },
    sling: record('sling'),
    clear: record('clear'),
    nudge: record('nudge'),
    startMode: record('startMode'),
    cancelModes: record('cancelModes'),
    restart: record('restart'),
    stop: record('stop'),
    start: record('start'),
    interrupt: record('interrupt'),
    focus: record('focus'),
    pause: record('pause'),
    resume: record('resume'),
    estop: record('estop'),
    thaw: record('thaw'),
    reset: record('reset'),
    acknowledge: record('acknowledge'),
    answerApproval: record('answerApproval'),
    async readHandoff(tree) {
      calls.push({ name: 'readHandoff', args: [tree] });
      return parts.handoff?.(tree) ?? { kind: 'refused', message: 'no handoff is armed in this tree' };
    },
    async acknowledgeHandoff(...args) {
      calls.push({ name: 'acknowledgeHandoff', args });
      return parts.acknowledge?.() ?? null;
    },
    async dissolveHandoff(...args) {
      calls.push({ name: 'dissolveHandoff', args });
      return parts.dissolve?.(args[2]) ?? { kind: 'refused', message: 'the value does not match' };
    },
    settleRequest: record('settleRequest'),
    reopenBead: record('reopenBead'),
    closeBead: record('closeBead'),
    down: record('down'),
    detach: record('detach'),
  };
}
