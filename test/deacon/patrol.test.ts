/** The patrol, rule by rule: what it does, when, and to whom never. */
import { describe, expect, test } from 'vitest';
import { resetAgentLedger } from '../../src/domain/agent-ledger.ts';
import { ladderFromRecord, ladderToRecord, newLadder, resetLadder } from '../../src/domain/ladder.ts';
import type { AgentFacts } from '../../src/domain/patrol/facts.ts';
import { severityOf } from '../../src/domain/patrol/rungs.ts';
import { patrol } from '../../src/domain/patrol.ts';
import { ledgerSchema } from '../../src/domain/records.ts';
import { acts, agentAt, bead, judgeAt, min, Paper, s, t0, townOf } from './facts.ts';

describe('the ladder (seed 001, issue item 2)', () => {
  test('stalls strictly after the threshold, and not at it (decision 3)', () => {
    expect(acts(judgeAt(t0 + 300 * s))).toEqual([]);
    expect(judgeAt(t0 + 300 * s).deadline).toBe(t0 + 300 * s + 1);
    expect(acts(judgeAt(t0 + 300 * s + 1))).toEqual(['nudge']);
  });

  test('an agent that never recovers: every rung at its time, three restarts, one escalation, then nothing', () => {
    const paper = new Paper();
    paper.run(t0 + 4 * 3_600 * s);
    const rungs = paper.did.map(({ at, kind, n }) => `${at} ${kind}${n ?? ''}`);
    const round = (from: number, n: number) => [
      `${from + 300} nudge`,
      `${from + 420} witness`,
      `${from + 420} nudge`,
      `${from + 540} witness`,
      `${from + 540} nudge`,
      `${from + 600} ${n < 4 ? `restart${n}` : 'human_escalation'}`,
    ];
    expect(rungs).toEqual([...round(0, 1), ...round(600, 2), ...round(1200, 3), ...round(1800, 4)]);
    expect(paper.did.at(-1)?.message).toBe(
      `HUMAN_ESCALATION: ${bead} has stalled 3 times. Automated recovery exhausted. Requires human intervention.`,
    );
  });

  test('a claude agent that never began is restarted at 5 minutes (seed 001, boot_restart)', () => {
    const paper = new Paper({
      hook: { kind: 'work', status: 'pending', bead_id: bead, assignedAt: t0 },
      ladder: null,
      thresholds: { ...agentAt().thresholds, stallMs: 120 * s, neverBeganMs: 300 * s },
    });
    paper.run(t0 + 310 * s);
    expect(paper.did.map(({ at, kind }) => `${at} ${kind}`)).toEqual([
      '120 nudge',
      '240 witness',
      '240 nudge',
      '300 restart',
    ]);
  });

  test('a nudge never moves the clock, a restart does', () => {
    const paper = new Paper();
    paper.run(t0 + 650 * s);
    expect(paper.did.filter(({ kind }) => kind === 'restart').map(({ at }) => at)).toEqual([600]);
    const { ladder } = paper.agent;
    expect(ladder && 'restarts' in ladder && ladder.restarts[0]?.at).toBe(t0 + 600 * s + 1);
  });

  test('a reply holds the next step back for one interval, twice in an episode and no more', () => {
    const paper = new Paper();
    paper.run(t0 + 1_000 * s, (now) => {
      // It answers each nudge 10 s later, and never works.
      const { ladder } = paper.agent;
      const last = ladder && 'nudges' in ladder ? ladder.nudges.at(-1) : undefined;
      if (last && now >= last.at + 10 * s) {
        paper.agent = { ...paper.agent, reply: { nudge_id: last.nudge_id, at: last.at + 10 * s } };
      }
    });
    const nudges = paper.did.filter(({ kind }) => kind === 'nudge').map(({ at }) => at);
    // The third answer counts for nothing: restart as soon as the threshold is past.
    expect(nudges.slice(0, 3)).toEqual([300, 430, 560]);
    expect(paper.did.find(({ kind }) => kind === 'restart')?.at).toBe(600);
  });

  test('an answer moves the next nudge by its own time', () => {
    const paper = new Paper();
    paper.run(t0 + 301 * s);
    const { ladder } = paper.agent;
    const nudge = ladder && 'nudges' in ladder ? ladder.nudges[0] : undefined;
    paper.agent = { ...paper.agent, reply: { nudge_id: nudge?.nudge_id ?? '', at: t0 + 400 * s } };
    paper.now = t0 + 400 * s;
    paper.run(t0 + 530 * s);
    expect(paper.did.map(({ at, kind }) => `${at} ${kind}`)).toEqual(['300 nudge', '520 witness', '520 nudge']);
  });

  test('work after the nudge ends the episode, is told once and counts as effective', () => {
    const paper = new Paper();
    paper.run(t0 + 301 * s);
    paper.agent = { ...paper.agent, activityAt: t0 + 350 * s };
    paper.now = t0 + 350 * s;
    paper.run(t0 + 351 * s);
    expect(paper.did.map(({ kind }) => kind)).toEqual(['nudge', 'recovered']);
    const { ladder } = paper.agent;
    expect(ladder && 'nudges' in ladder && ladder.nudges[0]?.effective).toBe(true);
    expect(ladder && 'stalledAt' in ladder && ladder.stalledAt).toBeNull();
  });

  test('restarts are at least the cooldown apart for one agent, whatever the bead', () => {
    const ledger = { ...judgeAt(t0).ledger, ...agentAt().ledger, lastRestartAt: t0 + 590 * s } as AgentFacts['ledger'];
    const nudged = [{ nudge_id: 'n-1', at: t0 + 400 * s, receipt: 'x', answeredAt: null, effective: null }];
    const ladder = { ...newLadder(bead, 'polecat-alpha', t0), begunAt: t0, activation: true, nudges: nudged };
    expect(acts(judgeAt(t0 + 610 * s, { ledger, ladder }))).toEqual([]);
    expect(judgeAt(t0 + 610 * s, { ledger, ladder }).verdict).toMatchObject({
      state: 'backoff',
      until: t0 + 650 * s,
    });
    expect(acts(judgeAt(t0 + 650 * s, { ledger, ladder }))).toEqual(['restart']);
  });

  test('a configured maximum above three is three', () => {
    const paper = new Paper({ thresholds: { ...agentAt().thresholds, maxRestarts: 9 } });
    paper.run(t0 + 3_600 * s);
    expect(paper.did.filter(({ kind }) => kind === 'restart')).toHaveLength(3);
  });

  test('what cannot be restarted goes to the human at once', () => {
    const paper = new Paper({ unrestartable: "it is a human's own slot" });
    paper.run(t0 + 3_600 * s);
    expect(paper.did.filter(({ kind }) => kind === 'restart')).toEqual([]);
    expect(paper.did.at(-1)).toMatchObject({ at: 600, kind: 'human_escalation' });
  });

  test.each([
    [0, 301, 'warning'],
    [0, 601, 'alert'],
    [1, 301, 'alert'],
    [2, 301, 'critical'],
  ])('%i unanswered nudges, silent for %i s: %s', (unanswered, seconds, word) => {
    expect(severityOf(unanswered, seconds * s, 300 * s)).toBe(word);
  });

  test('the ladder survives the disk, value by value', () => {
    const paper = new Paper();
    paper.run(t0 + 1_300 * s);
    const { ladder } = paper.agent;
    if (!ladder || !('bead_id' in ladder)) throw new Error('no ladder');
    const record = ledgerSchema.parse(JSON.parse(JSON.stringify(ladderToRecord(ladder))));
    expect(ladderFromRecord(record)).toEqual(ladder);
  });

  test('a reset gives three restarts again', () => {
    const paper = new Paper();
    paper.run(t0 + 3_600 * s);
    const { ladder } = paper.agent;
    if (!ladder || !('bead_id' in ladder)) throw new Error('no ladder');
    paper.agent = { ...paper.agent, ladder: resetLadder(ladder), ledger: resetAgentLedger(paper.ledger) };
    paper.did.length = 0;
    paper.run(t0 + 8_000 * s);
    expect(paper.did.filter(({ kind }) => kind === 'restart')).toHaveLength(3);
    expect(paper.did.at(-1)?.kind).toBe('human_escalation');
  });
});

describe('never (issue item 3)', () => {
  const long = t0 + 3_000 * s;
  const excuses: Record<string, Partial<AgentFacts>> = {
    'it asks': { declared: { status: 'asking', note: 'which?', since: t0 } },
    'it awaits a decision': { declared: { status: 'awaiting', note: null, since: t0 } },
    'it is parked': { declared: { status: 'parked', note: 'waits for CI', since: t0 } },
    'a dialog is on its screen': { screen: { kind: 'dialog', dialog: 'trust', hint: 'look' } },
    'it is at a usage limit': { screen: { kind: 'limited', until: long + min, line: 'limit' } },
    'a limit without an end': { screen: { kind: 'limited', until: null, line: 'limit' } },
    'a tool is running': { openTool: true },
    'a gate is open': { gate: { kind: 'checkpoint', reason: 'review' } },
    'tmux cannot tell': { process: { kind: 'unknown', why: 'time-out' } },
    'its hook cannot be read': { hook: { kind: 'unreadable', why: 'not JSON' } },
    'its bead’s ledger cannot be read': { ladder: { unreadable: 'not JSON' } },
    'its own ledger cannot be read': { ledger: { unreadable: 'not JSON' } },
    'it was stopped on purpose': { process: { kind: 'stopped' } },
    'its hook is empty': { hook: { kind: 'empty' }, ladder: null },
    'its work is completed': { hook: { kind: 'work', status: 'completed', bead_id: bead, assignedAt: t0 } },
    'it is being acted on': { busy: true },
  };

  test.each(Object.entries(excuses))('nudged, restarted or told of as a stall: %s', (_why, facts) => {
    const done = acts(judgeAt(long, facts)).filter((kind) => kind !== 'escalate');
    expect(done).toEqual([]);
    const human = judgeAt(long, facts).effects.filter(
      (one) => one.kind === 'escalate' && one.escalation.kind === 'human_escalation',
    );
    expect(human).toEqual([]);
  });

  test('the end of a question starts the clock anew', () => {
    const paper = new Paper({ declared: { status: 'asking', note: null, since: t0 } });
    paper.run(t0 + 1_000 * s);
    paper.agent = { ...paper.agent, declared: { status: 'active', note: null, since: t0 } };
    paper.run(t0 + 1_299 * s);
    expect(paper.did).toEqual([]);
    paper.run(t0 + 1_400 * s);
    expect(paper.did.map(({ at, kind }) => `${at} ${kind}`)).toEqual(['1300 nudge']);
  });

  test('a screen is looked at before an act and never otherwise', () => {
    expect(judgeAt(t0 + 299 * s, { screen: null }).effects).toEqual([]);
    const blind = judgeAt(t0 + 301 * s, { screen: null });
    expect(blind.effects.map(({ kind }) => kind)).toEqual(['look']);
    expect(blind.ladder).toBeNull();
  });

  test('an idle declaration with work on the hook is the very stall GUPP is about', () => {
    expect(acts(judgeAt(t0 + 301 * s, { declared: { status: 'idle', note: null, since: t0 } }))).toEqual(['nudge']);
  });

  test('an exit with a meaning is no crash: no restart, one escalation, and it says why (field report 40)', () => {
    const paper = new Paper({ process: { kind: 'dead', exit: 55, meaning: 'the folder is not trusted' } });
    paper.run(t0 + 3_600 * s);
    expect(paper.did).toHaveLength(1);
    expect(paper.did[0]).toMatchObject({ kind: 'cannot_run' });
    expect(paper.did[0]?.message).toContain('the folder is not trusted (exit 55)');
  });
});

describe('usage limits (issue item 5)', () => {
  test('one escalation for all agents of a runtime; after the reset they resume one after the other', () => {
    const until = t0 + 1_000 * s;
    const ids = ['a', 'b', 'c'];
    let agents = ids.map((agent_id) =>
      agentAt({ agent_id, ladder: null, screen: { kind: 'limited', until, line: 'usage limit reached' } }),
    );
    const opened = new Set<string>();
    const resumed: number[] = [];
    for (let now = t0 + 301 * s; now < until + 60 * s; now += s) {
      if (now >= until) agents = agents.map((agent) => ({ ...agent, screen: { kind: 'ready', draft: '' } as const }));
      const { judgements } = patrol(townOf(agents.map((agent) => ({ ...agent, escalations: [...opened] }))), now);
      for (const [index, judged] of judgements.entries()) {
        const agent = agents[index];
        if (!agent) continue;
        agents[index] = { ...agent, ladder: judged.ladder ?? agent.ladder, ledger: judged.ledger ?? agent.ledger };
        for (const effect of judged.effects) {
          if (effect.kind === 'escalate') opened.add(effect.escalation.escalation_id);
          if (effect.kind === 'nudge') {
            expect(effect.type).toBe('sync_request');
            resumed.push((now - until) / s);
          }
          expect(effect.kind).not.toBe('restart');
        }
      }
    }
    expect([...opened]).toEqual([`limit-codex-${until}`]);
    expect(resumed).toEqual([0, 10, 20]);
  });
});

describe('clocks (issue item 4)', () => {
  test('a lid closed for eight hours: one notice, nobody is touched, and everybody gets the full time again', () => {
    const now = t0 + 8 * 3_600 * s;
    const facts = townOf([agentAt()], { floorAt: now, seenSince: now, clockJumpMs: 8 * 3_600 * s });
    const asleep = patrol(facts, now);
    expect(asleep.notices).toHaveLength(1);
    expect(asleep.judgements.flatMap(acts)).toEqual([]);
    expect(asleep.nextDeadline).toBe(now + 300 * s + 1);
  });

  test('a clock set back: times of the future are not believed, told once, and silence counts from the jump', () => {
    const now = t0 - 2 * 3_600 * s;
    const town = { floorAt: now, seenSince: now, clockJumpMs: -2 * 3_600 * s };
    const first = judgeAt(now, {}, town);
    expect(acts(first)).toEqual([]);
    expect(first.effects.filter((one) => one.kind === 'notice')).toHaveLength(1);
    const again = judgeAt(now + s, first.ledger ? { ledger: first.ledger } : {}, town);
    expect(again.effects).toEqual([]);
    const later = judgeAt(now + 301 * s, first.ledger ? { ledger: first.ledger } : {}, town);
    expect(acts(later)).toEqual(['nudge']);
  });

  test('no time at all: silence counts from the deacon’s first look', () => {
    const blank = { activityAt: null, startedAt: null } as const;
    const hook = { kind: 'work', status: 'active', bead_id: bead, assignedAt: 0 } as const;
    const ladder = { ...newLadder(bead, 'polecat-alpha', 0), begunAt: 0, activation: true };
    const seenSince = t0;
    expect(acts(judgeAt(t0 + 300 * s, { ...blank, hook, ladder }, { seenSince }))).toEqual([]);
    expect(acts(judgeAt(t0 + 301 * s, { ...blank, hook, ladder }, { seenSince }))).toEqual(['nudge']);
  });
});

describe('a deacon that died in the middle', () => {
  const at = t0 + 601 * s;
  const nudges = [{ nudge_id: 'n-1', at: t0 + 301 * s, receipt: 'x', answeredAt: null, effective: false }];
  const requested = {
    ...newLadder(bead, 'polecat-alpha', t0),
    begunAt: t0,
    activation: true,
    episodes: 1,
    stalledAt: t0 + 301 * s,
    quietAt: t0,
    nudges,
    restarts: [{ n: 1, at, outcome: 'requested', run: 'run-1' }],
  };

  test('the same run proves that the restart did not happen: it is done now, under the same number', () => {
    const judged = judgeAt(at + 5 * s, { ladder: requested });
    expect(acts(judged)).toEqual(['restart']);
    expect(judged.ladder?.restarts.map(({ n }) => n)).toEqual([1]);
  });

  test('another run proves that it did: it counts, and is not done again', () => {
    const judged = judgeAt(at + 5 * s, { ladder: requested, run: 'run-2', startedAt: at + s });
    expect(acts(judged)).toEqual([]);
    expect(judged.ladder?.restarts).toEqual([{ n: 1, at, outcome: 'done', run: 'run-1' }]);
  });

  test('a run nobody can see: nothing is done until it can', () => {
    expect(acts(judgeAt(at + 5 * s, { ladder: requested, run: null }))).toEqual([]);
  });

  test('a nudge that was only intended is sent now; one whose file exists is not sent again', () => {
    const intended = {
      ...requested,
      restarts: [],
      nudges: nudges.map((mark) => ({ ...mark, receipt: null })),
    };
    expect(acts(judgeAt(t0 + 310 * s, { ladder: intended }))).toEqual(['nudge']);
    expect(acts(judgeAt(t0 + 310 * s, { ladder: intended, nudgeFile: 'n-1' }))).toEqual([]);
  });
});
