/**
 * At least 100,000 random histories of activity, silence, replies, crashes, questions, dialogs, limits, gates, blind
 * probes, clock jumps, resets and deaths of the deacon at every step, against what must hold (simulation/oracle.ts).
 * Faults planted in the patrol's own source must each be caught by the same run.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { tellHistory } from './simulation/history.ts';

const root = new URL('../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-simulation-`));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Edit {
  /** File under src/domain, the text that must be in it exactly once, and what takes its place. */
  file: string;
  find: string;
  put: string;
}

interface Fault extends Edit {
  /** A second place that guards against the same. */
  also?: Edit;
  /** What the run says of it. */
  caught: RegExp;
}

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

type TellHistory = typeof tellHistory;

/** The simulation with one text of one source file replaced. */
async function simulationWith(fault: Fault | null): Promise<TellHistory> {
  const edits = fault ? [fault, ...(fault.also ? [fault.also] : [])] : [];
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/deacon/simulation/history.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    outfile: join(folder, 'simulation.mjs'),
    plugins: [
      {
        name: 'fault',
        setup: ({ onLoad }) => {
          onLoad({ filter: /src.domain.*\.ts$/ }, (args) => {
            const edit = edits.find(({ file }) => args.path === join(root, 'src/domain', file));
            if (!edit) return null;
            const text = readFileSync(args.path, 'utf8');
            if (text.split(edit.find).length !== 2) throw new Error(`${edit.file} does not hold once: ${edit.find}`);
            return { contents: text.replace(edit.find, edit.put), loader: 'ts' };
          });
        },
      },
    ],
  });
  const code = outputFiles[0]?.text ?? '';
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(file, code);
  return ((await import(pathToFileURL(file).href)) as { tellHistory: TellHistory }).tellHistory;
}

describe('the patrol over random histories', () => {
  let tell: TellHistory;
  beforeAll(async () => {
    tell = await simulationWith(null);
  });

  test('100,000 histories: no healthy agent restarted, no fourth restart, one escalation an episode, nothing overdue', () => {
    const sum = { nudges: 0, restarts: 0, escalations: 0, starts: 0, jumps: 0 };
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const told = tell(seed);
        for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += told.counts[key];
        return told.violation === null;
      }),
      // The same histories in every run; another seed is another 100,000.
      { numRuns: 100_000, endOnFailure: true, seed: Number(process.env['GASTOWN_SEED'] ?? 2_026) },
    );
    // The run proves something only if all of it happened, often.
    for (const count of Object.values(sum)) expect(count).toBeGreaterThan(10_000);
  }, 240_000);

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
