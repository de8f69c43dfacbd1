/**
 * Random histories of activity, silence, replies, crashes, questions, dialogs, limits, gates, blind probes, clock jumps,
 * resets and deaths of the deacon at every step, against what must hold (simulation/oracle.ts); 100,000 of them are told
 * in the slow suite. Faults planted in the patrol's own source must each be caught by the same run.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, holdHistories, removeSimulations, simulationWith, type TellHistory } from './simulation/faulty.ts';

afterAll(removeSimulations);

const faults: Record<string, Fault> = {
  'a fourth restart is allowed': {
    file: 'patrol/rungs.ts',
    find: 'const exhausted = done >= most;',
    put: 'const exhausted = done > most;',
    caught: /restart 4 of one bead/,
  },
  'a nudge on an asking agent': {
    file: 'patrol/exemption.ts',
    find: 'declared !== null && waiting.has(declared.status);',
    put: "declared !== null && declared.status === 'parked';",
    caught: /an agent that asks/,
  },
  'the counter is lost when a deacon dies': {
    file: 'ladder.ts',
    find: 'restarts: record.restarts.map((mark) => ({',
    put: 'restarts: record.restarts.slice(99).map((mark) => ({',
    caught: /restart 4 of one bead|cooldown|healthy/,
  },
  'a gate is forgotten': {
    file: 'patrol/exemption.ts',
    find: 'if (gate) return',
    put: "if (gate?.kind === 'estop') return",
    caught: /behind an open gate/,
  },
  'the end of a gate is forgotten': {
    file: 'patrol/exemption.ts',
    find: 'if (draft.ledger.exempt !== null) restartClock(draft);',
    put: '',
    caught: /healthy agent/,
  },
  'an escalation does not latch': {
    file: 'patrol/rungs.ts',
    find: "if (ladder.escalatedAt !== null) return verdict(draft, 'escalated', 'waits for a human');",
    put: '',
    caught: /after the escalation|second escalation/,
  },
  'a restart in doubt does not count': {
    file: 'patrol/assignment.ts',
    find: 'restarts: mark.run === run ? rest',
    put: 'restarts: mark.outcome ? rest',
    caught: /restart 4 of one bead|cooldown|healthy/,
  },
  'the cooldown is skipped': {
    file: 'patrol/rungs.ts',
    find: 'if (now < cooledAt)',
    put: 'if (now < 0)',
    also: {
      file: 'backoff.ts',
      find: 'Math.max(doubled, done > 0 ? cooldownMs : 0)',
      put: 'doubled',
    },
    caught: /cooldown/,
  },
  'a sleep is taken for silence': {
    file: 'patrol/stall-clock.ts',
    find: 'let since = town.floorAt <= limit ? town.floorAt : 0;',
    put: 'let since = 0;',
    caught: /healthy agent/,
  },
  'the screen is not looked at': {
    file: 'patrol/exemption.ts',
    find: "} else if (screen?.kind === 'dialog') {",
    put: "} else if (screen?.kind === 'dialog' && screen.dialog === '') {",
    caught: /shows a dialog/,
  },
  'a running tool is no excuse': {
    file: 'patrol/exemption.ts',
    find: "return openTool ? verdict(draft, 'working', 'a tool is running') : null;",
    put: 'return openTool && draft.now < 0 ? verdict(draft, "working", "") : null;',
    caught: /whose tool runs/,
  },
  'a blind probe is taken for death': {
    file: 'patrol.ts',
    find: "if (agent.process.kind === 'unknown') return verdict(draft, 'unknown', agent.process.why);",
    put: '',
    caught: /nobody could see/,
  },
  'nobody wakes the deacon': {
    file: 'patrol/rungs.ts',
    find: 'wakeAt(draft, clock.since + stallMs + 1);',
    put: '',
    caught: /nothing was done/,
  },
  'the back-off is skipped': {
    file: 'backoff.ts',
    find: 'return now >= until ? {',
    put: 'return now >= 0 ? {',
    caught: /back-off|five starts/,
  },
};

describe('the patrol over random histories', () => {
  let tell: TellHistory;
  beforeAll(async () => {
    tell = await simulationWith(null);
  });

  test('no healthy agent restarted, no fourth restart, one escalation an episode, nothing overdue', () => {
    holdHistories(tell, 10_000);
  }, 120_000);

  test.each(Object.entries(faults))('a planted fault is caught: %s', async (_name, fault) => {
    const faulty = await simulationWith(fault);
    const found = new Set<string>();
    for (let seed = 0; seed < 6_000; seed += 1) {
      const { violation } = faulty(seed);
      if (violation === null) continue;
      found.add(violation);
      if (fault.caught.test(violation)) return;
    }
    expect([...found].slice(0, 5).join('\n')).toMatch(fault.caught);
  });
});
