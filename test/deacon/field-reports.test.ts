/** Field reports 17, 20, 21 and 23: the inputs that broke products like this one, and what is right here. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { agentLedgerFromRecord, agentLedgerToRecord, resetAgentLedger } from '../../src/domain/agent-ledger.ts';
import { ladderFromRecord, ladderToRecord, newLadder, resetLadder } from '../../src/domain/ladder.ts';
import { patrol } from '../../src/domain/patrol.ts';
import { readScreen } from '../../src/domain/read-screen.ts';
import { claudeDescriptor } from '../../src/runtimes/claude/descriptor.ts';
import { leaseHolder, releaseLease, takeLease } from '../../src/store/lease.ts';
import { processStart } from '../../src/store/process-identity.ts';
import { openStore } from '../../src/store/store.ts';
import { acts, agentAt, bead, judgeAt, Paper, s, t0, townOf } from './facts.ts';

const claudeThresholds = { ...agentAt().thresholds, stallMs: 120 * s, neverBeganMs: 300 * s };

/** Patrols every 30 s whatever the patrol wishes, as the reports do. */
function ticks(paper: Paper, count: number, meanwhile: (tick: number) => void = () => {}): void {
  for (let tick = 0; tick < count; tick += 1) {
    paper.now += 30 * s;
    meanwhile(tick);
    paper.run(paper.now);
  }
}

describe('field report 17: a heartbeat older than the session’s own start', () => {
  test('exactly one start and no restart of it in ten ticks', () => {
    const paper = new Paper({
      thresholds: claudeThresholds,
      hook: { kind: 'work', status: 'active', bead_id: bead, assignedAt: t0 - 6 * 3_600 * s },
      ladder: { ...newLadder(bead, 'polecat-alpha', t0 - 6 * 3_600 * s), begunAt: t0, activation: true },
      activityAt: t0 - 5 * 3_600 * s,
      startedAt: t0 - 6 * 3_600 * s,
      process: { kind: 'dead', exit: 1, meaning: null },
    });
    ticks(paper, 10, () => {
      // It needs 90 s before its first heartbeat.
      const startedAt = paper.agent.startedAt ?? 0;
      const isUp = paper.agent.process.kind === 'alive' && paper.now >= startedAt + 90 * s;
      if (isUp) paper.agent = { ...paper.agent, activityAt: paper.now };
    });
    expect(paper.did.filter(({ kind }) => kind !== 'recovered').map(({ kind }) => kind)).toEqual(['restart']);
  });

  test('still silent after its grace: the normal ladder, once', () => {
    const paper = new Paper({
      thresholds: claudeThresholds,
      activityAt: t0 - 5 * 3_600 * s,
      startedAt: t0,
    });
    paper.run(t0 + 125 * s);
    expect(paper.did.map(({ at, kind }) => `${at} ${kind}`)).toEqual(['120 nudge']);
  });
});

describe('field report 20: an agent that dies at once', () => {
  const exit1 = { kind: 'dead', exit: 1, meaning: null } as const;
  const dying = (more: ConstructorParameters<typeof Paper>[0]): Paper => {
    const paper = new Paper({ ...more, process: exit1, startedAt: t0 });
    paper.started = () => {
      paper.agent = { ...paper.agent, startedAt: paper.now, run: `run-${paper.now}`, process: exit1 };
    };
    return paper;
  };
  /** What a deacon's death leaves: what was on disk. */
  const restartDeacon = (paper: Paper): void => {
    const { ladder } = paper.agent;
    paper.agent = {
      ...paper.agent,
      ledger: agentLedgerFromRecord(agentLedgerToRecord(paper.ledger)),
      ladder: ladder && 'bead_id' in ladder ? ladderFromRecord(ladderToRecord(ladder)) : ladder,
    };
  };
  const mend = (paper: Paper): void => {
    const { ladder } = paper.agent;
    paper.started = () => {
      paper.agent = {
        ...paper.agent,
        startedAt: paper.now,
        run: `run-${paper.now}`,
        process: { kind: 'alive' },
        activityAt: paper.agent.hook.kind === 'work' ? paper.now + 20 * s : paper.agent.activityAt,
      };
    };
    paper.agent = {
      ...paper.agent,
      ledger: resetAgentLedger(paper.ledger),
      ladder: ladder && 'bead_id' in ladder ? resetLadder(ladder) : ladder,
    };
    paper.did.length = 0;
  };

  test('with an empty hook: back-off, five starts, then a crash loop with one escalation', () => {
    const paper = dying({ hook: { kind: 'empty' }, ladder: null });
    ticks(paper, 60, (tick) => {
      if (tick === 20) restartDeacon(paper);
    });
    const starts = paper.did.filter(({ kind }) => kind === 'start').map(({ at }) => at);
    expect(starts).toEqual([30, 90, 150, 270, 510]);
    expect(paper.did.filter(({ kind }) => kind === 'crash_loop')).toHaveLength(1);
    expect(paper.did).toHaveLength(6);
    mend(paper);
    ticks(paper, 60);
    expect(paper.did.map(({ kind }) => kind)).toEqual(['start', 'recovered']);
  });

  test('with work on the hook: three restarts with back-off, one escalation, the work stays', () => {
    const hook = { kind: 'work', status: 'pending', bead_id: bead, assignedAt: t0 } as const;
    const paper = dying({ hook, ladder: null });
    ticks(paper, 60, (tick) => {
      if (tick === 20) restartDeacon(paper);
    });
    expect(paper.did.map(({ at, kind }) => `${at} ${kind}`)).toEqual([
      '30 restart',
      '90 restart',
      '150 restart',
      '270 human_escalation',
    ]);
    mend(paper);
    ticks(paper, 60, () => {
      if (paper.agent.process.kind === 'alive') paper.agent = { ...paper.agent, activityAt: paper.now };
    });
    expect(paper.did.map(({ kind }) => kind)).toEqual(['restart', 'recovered']);
  });

  test('a crash loop is tried once an hour, and a trial that lives ends it', () => {
    const paper = dying({ hook: { kind: 'empty' }, ladder: null });
    paper.run(t0 + 3 * 3_600 * s);
    const starts = paper.did.filter(({ kind }) => kind === 'start').map(({ at }) => at);
    expect(starts).toEqual([30, 90, 150, 270, 510, 4_110, 7_710]);
    expect(paper.did.filter(({ kind }) => kind === 'crash_loop')).toHaveLength(1);
  });
});

describe('field report 21: an agent that writes about rate limits', () => {
  const screenOf = (lines: string[]) => ({ lines, styled: lines, title: '', cursor: { x: 0, y: lines.length - 1 } });
  const prose = [
    '│ Rate limits │ none │',
    'fn rate_limits_counted()',
    'error on line 529',
    'quota exceeded test passed',
  ];

  test.each(prose)('%s, heartbeat fresh: it is at work, and its screen is not even read', (line) => {
    const reading = readScreen(screenOf([line, '', '❯ ']), claudeDescriptor.screen, t0);
    expect(reading.kind).not.toBe('limited');
    const judged = judgeAt(t0 + 60 * s, { screen: null });
    expect(judged.verdict.state).toBe('working');
    expect(judged.effects).toEqual([]);
    // Even a reading that were wrong would be forgotten at the next sign of life.
    const wrong = judgeAt(t0 + 400 * s, { screen: { kind: 'limited', until: null, line } });
    const alive = judgeAt(t0 + 410 * s, {
      ...(wrong.ledger ? { ledger: wrong.ledger } : {}),
      activityAt: t0 + 409 * s,
    });
    expect(alive.verdict.state).toBe('working');
  });

  test('heartbeat stale and the runtime’s own banner last: limited until its time, no nudge, no restart, one escalation', () => {
    const until = t0 + 3 * 3_600 * s;
    let agent = agentAt({ screen: { kind: 'limited', until, line: '5-hour limit reached ∙ resets 3pm' } });
    const done: string[] = [];
    for (let now = t0 + 301 * s; now < until; now += 30 * s) {
      const [judged] = patrol(townOf([agent]), now).judgements;
      if (!judged) continue;
      expect(judged.verdict).toMatchObject({ state: 'limited', until });
      for (const effect of judged.effects) {
        if (effect.kind !== 'escalate') continue;
        done.push(effect.escalation.kind);
        agent = { ...agent, escalations: [...agent.escalations, effect.escalation.escalation_id] };
      }
      expect(acts(judged).filter((kind) => kind !== 'escalate')).toEqual([]);
      agent = { ...agent, ladder: judged.ladder ?? agent.ladder, ledger: judged.ledger ?? agent.ledger, screen: null };
    }
    expect(done).toEqual(['limited']);
  });
});

describe('field report 23: a lease whose process is another now', () => {
  const folders: string[] = [];
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  const freshStore = () => {
    const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-lease-`));
    folders.push(folder);
    return openStore(join(folder, '.chipset/state'));
  };
  const sleeper = async (): Promise<ChildProcess & { pid: number }> => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    children.push(child);
    await new Promise((done) => child.once('spawn', done));
    if (child.pid === undefined) throw new Error('no pid');
    return child as ChildProcess & { pid: number };
  };
  const now = Date.now();
  const at = new Date(now - 86_400_000).toISOString();

  test('a recycled pid: taken over, and the stranger is left alone', async () => {
    const store = freshStore();
    const stranger = await sleeper();
    const held = { pid: stranger.pid, pid_started: 'another-time', hostname: hostname(), taken_at: at, tick_at: at };
    await store.lease.update(() => held);
    expect((await takeLease(store, now)).pid).toBe(process.pid);
    expect(stranger.exitCode).toBeNull();
    expect(processStart(stranger.pid)).not.toBe('gone');
  });

  test('another host’s lease of yesterday, and an empty file: taken over', async () => {
    const store = freshStore();
    await store.lease.update(() => ({ pid: 1, pid_started: 'x', hostname: 'elsewhere', taken_at: at, tick_at: at }));
    expect((await takeLease(store, now)).hostname).toBe(hostname());
    const { writeFileSync } = await import('node:fs');
    writeFileSync(store.lease.path, '');
    expect((await takeLease(store, now)).pid).toBe(process.pid);
  });

  test('a live one: exit 5, and it keeps its lease', async () => {
    const store = freshStore();
    const other = await sleeper();
    const started = processStart(other.pid);
    const lease = { pid: other.pid, pid_started: started ?? '', hostname: hostname(), taken_at: at, tick_at: at };
    await store.lease.update(() => lease);
    await expect(takeLease(store, now)).rejects.toMatchObject({ exit: 5 });
    expect(await releaseLease(store)).toBe(false);
    const read = store.lease.read();
    expect(read.kind === 'ok' && leaseHolder(read.value, now)).toBe('alive');
  });
});
