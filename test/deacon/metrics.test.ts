/** Seed 001's metrics against a scripted history, value by value; their text against a real parser; what is learnt. */
import parsePrometheus from 'parse-prometheus-text-format';
import { describe, expect, test } from 'vitest';
import { setInYaml } from '../../src/domain/config-edit.ts';
import { parseConfig } from '../../src/domain/config-parse.ts';
import { type InForce, propose } from '../../src/domain/learning.ts';
import { type Sample, summarize } from '../../src/domain/metrics.ts';
import { metricsLines, sparkline } from '../../src/domain/metrics-table.ts';
import { toIso } from '../../src/domain/time.ts';
import { prometheusText } from '../../src/town/deacon/metrics.ts';
import { agentAt, bead, judgeAt, Paper, s, t0 } from './facts.ts';

const about = (runtime: string, agent_id = 'polecat-alpha') => ({ at: toIso(t0), agent_id, runtime, bead_id: bead });
const response = (runtime: string, seconds: number, agent = 'polecat-alpha'): Sample => ({
  ...about(runtime, agent),
  metric: 'response',
  seconds,
  session: null,
});
const activation = (runtime: string, strategy: string, success: boolean): Sample => ({
  ...about(runtime),
  metric: 'activation',
  strategy,
  success,
});
const nudge = (runtime: string, nudge_id: string, effective: boolean): Sample => ({
  ...about(runtime),
  metric: 'nudge',
  nudge_id,
  effective,
});
const stall = (runtime: string): Sample => ({ ...about(runtime), metric: 'stall' });
const session = (runtime: string, id: string): Sample => ({ ...about(runtime), metric: 'session', session: id });
const episode = (runtime: string, restarts: number, recovered: boolean): Sample => ({
  ...about(runtime),
  metric: 'episode',
  restarts,
  recovered,
});
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const ideal = (): number => 30;

const history: Sample[] = [
  response('claude', 12.4),
  response('claude', 40),
  response('codex', 50, 'polecat-beta'),
  ...times(47, () => activation('claude', 'hook_injection', true)),
  ...times(3, () => activation('claude', 'hook_injection', false)),
  nudge('claude', 'n-001', true),
  nudge('claude', 'n-002', false),
  nudge('codex', 'n-003', false),
  ...times(3, () => stall('claude')),
  ...times(10, (index) => session('claude', `s-${index % 5}`)),
  episode('claude', 0, true),
  episode('claude', 1, true),
  episode('claude', 3, false),
];

describe('the metrics of seed 001', () => {
  test('a scripted history, value by value', () => {
    const sum = summarize(history, ideal);
    expect(sum.responses).toEqual([
      { agent: 'polecat-alpha', runtime: 'claude', seconds: [12.4, 40] },
      { agent: 'polecat-beta', runtime: 'codex', seconds: [50] },
    ]);
    expect(sum.strategies).toEqual([{ runtime: 'claude', strategy: 'hook_injection', rate: { n: 50, value: 0.94 } }]);
    const claude = sum.runtimes.find(({ runtime }) => runtime === 'claude');
    expect(claude).toEqual({
      runtime: 'claude',
      medianResponse: 26.2,
      stalls: 3,
      // A session that was seen twice is one.
      sessions: 5,
      stallsPerSession: 0.6,
      nudge: { n: 2, value: 0.5 },
      restartCure: { n: 2, value: 0.5 },
    });
    expect(sum.runtimes.find(({ runtime }) => runtime === 'codex')?.stallsPerSession).toBeNull();
    expect(sum.remarks).toEqual(['codex: median response 50 s, ideal is under 30 s']);
  });

  test('below 50 % effectiveness is said as the seed reads it, from ten nudges on', () => {
    const few = times(9, (index) => nudge('claude', `n-${index}`, false));
    expect(summarize(few, ideal).remarks).toEqual([]);
    const enough = [...few, nudge('claude', 'n-9', true)];
    expect(summarize(enough, ideal).remarks[0]).toMatch(/10 % of 10 nudges .*too aggressive.*genuinely stuck/);
  });

  test('the text is valid exposition format: names, labels and values survive a real parser', async () => {
    const parsed = parsePrometheus(await prometheusText(summarize(history, ideal)));
    expect(parsed.map(({ name, type }) => `${type} ${name}`)).toEqual([
      'GAUGE gupp_response_time_seconds',
      'GAUGE gupp_nudge_effective',
      'GAUGE gupp_strategy_success_rate',
      'GAUGE gupp_stalls_per_session',
    ]);
    const samples = (name: string) => parsed.find((one) => one.name === name)?.metrics;
    expect(samples('gupp_response_time_seconds')).toEqual([
      { value: '40', labels: { agent: 'polecat-alpha', runtime: 'claude' } },
      { value: '50', labels: { agent: 'polecat-beta', runtime: 'codex' } },
    ]);
    expect(samples('gupp_nudge_effective')).toEqual([
      { value: '1', labels: { agent: 'polecat-alpha', nudge_id: 'n-001' } },
      { value: '0', labels: { agent: 'polecat-alpha', nudge_id: 'n-002' } },
      { value: '0', labels: { agent: 'polecat-alpha', nudge_id: 'n-003' } },
    ]);
    expect(samples('gupp_strategy_success_rate')).toEqual([
      { value: '0.94', labels: { runtime: 'claude', strategy: 'hook_injection' } },
    ]);
    expect(samples('gupp_stalls_per_session')).toEqual([{ value: '0.6', labels: { runtime: 'claude' } }]);
  });

  test('all four types are there without a single sample', async () => {
    const text = await prometheusText(summarize([], ideal));
    expect(text.match(/^# TYPE gupp_\w+ gauge$/gm)).toHaveLength(4);
  });

  test('labels with quotes, backslashes and newlines are escaped', async () => {
    const odd = 'a"b\\c\nd';
    const text = await prometheusText(summarize([response('claude', 1, odd)], ideal));
    expect(text).toContain('agent="a\\"b\\\\c\\nd"');
  });

  test('the table says what is missing and what is not enough', () => {
    const lines = metricsLines(summarize(history, ideal)).join('\n');
    expect(lines).toMatch(/polecat-alpha +claude +last +40.0 s +n +2/);
    expect(lines).toMatch(/claude +50 % {2}n 2 {2}insufficient data/);
    expect(metricsLines(summarize([], ideal)).filter((line) => line === '  no samples yet')).toHaveLength(4);
    expect(sparkline([0, 1, 2, 4])).toBe('▁▃▅█');
    expect(sparkline([])).toBe('');
  });
});

describe('where samples come from', () => {
  const samplesOf = (judged: ReturnType<typeof judgeAt>): Sample[] =>
    judged.effects.flatMap((effect) => (effect.kind === 'sample' ? [effect.sample] : []));
  const pending = { hook: { kind: 'work', status: 'pending', bead_id: bead, assignedAt: t0 } as const, ladder: null };

  test('work that begins in time: a response and a success, once', () => {
    const begun = { ...agentAt(), ladder: null, begunAt: t0 + 12_400, activityAt: t0 + 20 * s };
    const judged = judgeAt(t0 + 21 * s, begun);
    expect(samplesOf(judged)).toMatchObject([
      { metric: 'response', seconds: 12.4, runtime: 'codex' },
      { metric: 'activation', success: true, strategy: 'startup_fallback' },
    ]);
    expect(samplesOf(judgeAt(t0 + 22 * s, { ...begun, ladder: judged.ladder }))).toEqual([]);
  });

  test('work that never begins is a failure when the ideal time is over, not a gap', () => {
    const early = judgeAt(t0 + 60 * s, pending);
    expect(samplesOf(early)).toEqual([]);
    expect(early.deadline).toBe(t0 + 60 * s + 1);
    const late = judgeAt(t0 + 60 * s + 1, { ...pending, ladder: early.ladder });
    expect(samplesOf(late)).toMatchObject([{ metric: 'activation', success: false }]);
    // Begun at last: the response is measured, the failure stays the only verdict.
    const begun = judgeAt(t0 + 90 * s, { ladder: late.ladder, begunAt: t0 + 80 * s, activityAt: t0 + 80 * s });
    expect(samplesOf(begun)).toMatchObject([{ metric: 'response', seconds: 80 }]);
  });

  test('one stall an episode, a nudge decided by work and not by words, an episode that failed', () => {
    const paper = new Paper();
    const all: Sample[] = [];
    const look = judgeAt(t0 + 301 * s);
    all.push(...samplesOf(look));
    expect(all).toMatchObject([{ metric: 'stall' }]);
    const nudgeId = look.ladder?.nudges[0]?.nudge_id ?? '';
    const answered = judgeAt(t0 + 422 * s, {
      ladder: look.ladder && { ...look.ladder, nudges: look.ladder.nudges.map((one) => ({ ...one, receipt: 'x' })) },
      reply: { nudge_id: nudgeId, at: t0 + 310 * s },
    });
    expect(samplesOf(answered)).toMatchObject([{ metric: 'nudge', nudge_id: nudgeId, effective: false }]);
    paper.run(t0 + 3_600 * s);
    expect(paper.did.at(-1)?.kind).toBe('human_escalation');
  });
});

describe('the learning loop', () => {
  const inForce: InForce = {
    stall_detection: 300,
    nudge_interval: 120,
    strategy: 'hook_injection',
    secondary: 'prompt_preamble',
    idealSeconds: 30,
  };
  const learn = (samples: Sample[], present: InForce = inForce) =>
    propose(summarize(samples, ideal), () => present, t0);

  test('rule 1: many stalls and weak nudges ask for more patience, within the range', () => {
    const samples = [
      ...times(4, () => stall('claude')),
      session('claude', 's-1'),
      ...times(10, (index) => nudge('claude', `n-${index}`, index < 4)),
    ];
    expect(learn(samples)).toMatchObject([
      {
        proposal_id: 'threshold-tuning-claude-375',
        setting: 'stall_detection',
        current: 300,
        proposed: 375,
        status: 'open',
        evidence: { nudges: 10, nudge_effective: 0.4, stalls_per_session: 4, sessions: 1 },
      },
    ]);
    expect(learn(samples, { ...inForce, stall_detection: 1_700 })[0]?.proposed).toBe(1_800);
    expect(learn(samples, { ...inForce, stall_detection: 1_800 })).toEqual([]);
    expect(learn(samples.slice(0, -1))).toEqual([]);
  });

  test('rule 2: a primary strategy that fails gives way to the secondary', () => {
    const samples = times(10, (index) => activation('claude', 'hook_injection', index < 6));
    expect(learn(samples)).toMatchObject([
      { setting: 'strategy', current: 'hook_injection', proposed: 'prompt_preamble' },
    ]);
    expect(learn(samples, { ...inForce, secondary: null })).toEqual([]);
    expect(learn(samples.slice(1))).toEqual([]);
  });

  test('rule 3: nudges that help and come late come sooner', () => {
    const samples = [
      ...times(10, (index) => nudge('claude', `n-${index}`, index < 8)),
      ...times(3, () => response('claude', 45)),
    ];
    expect(learn(samples)).toMatchObject([{ setting: 'nudge_interval', current: 120, proposed: 90 }]);
    expect(learn(samples, { ...inForce, nudge_interval: 30 })).toEqual([]);
  });

  test('rule 4: restarts that cure point at the first words; no setting changes', () => {
    const samples = times(5, (index) => episode('claude', 1, index < 4));
    expect(learn(samples)).toMatchObject([{ rule: 'restart_policy', setting: null, proposed: null }]);
    expect(learn(samples.slice(1))).toEqual([]);
  });
});

describe('editing gastown.yaml keeps what is not meant', () => {
  const path = ['gupp', 'runtimes', 'claude', 'stall_detection'];

  test('a value that is there is replaced in place; not another byte changes', () => {
    const text =
      '# ours\nagents: [{id: a, runtime: claude}]   # one\ngupp:\n  runtimes: {claude: {stall_detection: 120}} # why\n';
    expect(setInYaml(text, path, 150)).toBe(text.replace('120', '150'));
    expect(setInYaml(text.replaceAll('\n', '\r\n'), path, 150)).toBe(
      text.replace('120', '150').replaceAll('\n', '\r\n'),
    );
  });

  test('a missing one is added, comments stay, and the file still parses', () => {
    const text =
      '# ours\nagents:\n  - {id: a, runtime: claude} # one\n\n# patience\ngupp:\n  thresholds:\n    stall_detection: 300 # five minutes\n';
    const edited = setInYaml(text, path, 150);
    for (const comment of ['# ours', '# one', '# patience', '# five minutes']) expect(edited).toContain(comment);
    expect(parseConfig(edited, 'x').config.gupp?.runtimes?.['claude']?.stall_detection).toBe(150);
    const bare = setInYaml('agents:\n  - {id: a, runtime: claude}\n', path, 150);
    expect(parseConfig(bare, 'x').config.gupp?.runtimes?.['claude']?.stall_detection).toBe(150);
  });
});
