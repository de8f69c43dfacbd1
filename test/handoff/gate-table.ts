/** Drives one table of cases through every form of the gate, and holds each call to what must hold for all of them. */
import { lstatSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type Call,
  type Fixture,
  type Form,
  forms,
  Fixture as NewFixture,
  type Result,
  run,
  sha256,
  snapshot,
  title,
} from './fixture.ts';

export interface GateCase {
  /** `A5`: its name in the specification, then what it guards. */
  name: string;
  /** Content of the handoff; null leaves the tree unarmed. The usual handoff of cycle 034 by default. */
  armed?: string | Uint8Array | null;
  /** What else the case needs; runs after arming. */
  prepare?: (fixture: Fixture) => void | Promise<void>;
  /** Given the fixture where a call needs a path of it. */
  calls: readonly Expected[] | ((fixture: Fixture) => readonly Expected[]);
  /** Asked after the calls, beyond what every call is held to. */
  afterwards?: (fixture: Fixture, form: Form) => void | Promise<void>;
  /** By default all forms for T1 to T10, else Node and dash: bash runs the whole table in the slow suite. */
  forms?: readonly Form[];
}

/** `exit`: one code for all forms, or one for Node and one for the script where their tree rules differ. */
export interface Expected extends Call {
  exit: number | { node: number; sh: number };
  /** Arms the tree anew before this call. */
  rearm?: string | Uint8Array;
}

/** What a refused call printed, and what was armed then. */
interface Refused {
  call: string;
  result: Result;
  armed: Buffer | null;
}

/**
 * Each refused call must write nothing and tell nothing; each successful one leave one archive. When all cases have run,
 * everything that the refused ones printed is searched once more, by the names that the specification gives it.
 */
export function gateTable(heading: string, cases: readonly GateCase[]): void {
  const refused: Refused[] = [];
  describe.concurrent(heading, () => {
    const made: Fixture[] = [];
    afterAll(() => {
      for (const fixture of made) fixture.remove();
    });
    for (const gateCase of cases) {
      for (const form of formsOf(gateCase)) {
        test(
          `${gateCase.name} [${form}]`,
          async () => {
            const fixture = new NewFixture();
            made.push(fixture);
            if (gateCase.armed !== null) fixture.arm(gateCase.armed);
            await gateCase.prepare?.(fixture);
            const calls = typeof gateCase.calls === 'function' ? gateCase.calls(fixture) : gateCase.calls;
            for (const call of calls) await hold(fixture, form, call, refused);
            await gateCase.afterwards?.(fixture, form);
          },
          limitMs,
        );
      }
    }
  });
  // A file's suites run one after the other: every case above has ended.
  describe(`${heading}: leaks`, () => {
    for (const name of ['A75 every output', 'A77 every output with --json and --debug']) {
      test(`${name} of every failing case is without cycle, digest, first line and length`, () => {
        const isPlain = name.startsWith('A75');
        const outputs = refused.filter(({ call }) => /--(?:json|debug)/.test(call) !== isPlain);
        // The script has no such modes.
        if (only === undefined || isPlain) expect(outputs.length).toBeGreaterThan(0);
        for (const { result, armed } of outputs) expectNoLeak(result, armed);
      });
    }
  });
}

/** Generous: on a busy machine a case of twenty processes takes its time. */
const limitMs = 120_000;

const only = process.env['GASTOWN_GATE_SHELL'];

function formsOf({ name, forms: given = forms }: GateCase): readonly Form[] {
  if (only !== undefined) return given.filter((form) => form === only);
  return /^T\d/.test(name) ? given : given.filter((form) => form !== 'bash');
}

async function hold(fixture: Fixture, form: Form, call: Expected, refused: Refused[]): Promise<void> {
  if (call.rearm !== undefined) fixture.arm(call.rearm);
  const exit = typeof call.exit === 'number' ? call.exit : form === 'node' ? call.exit.node : call.exit.sh;
  const before = snapshot(fixture.base);
  const armed = contentOf(fixture.hook);
  const archivesBefore = fixture.archives();
  const result = await run(fixture, form, call);
  const label = `${JSON.stringify(call.args)} in ${form}: ${result.err}`;
  expect(result.code, label).toBe(exit);

  if (exit !== 0) {
    expect(snapshot(fixture.base), `a refusal writes nothing: ${label}`).toBe(before);
    refused.push({ call: `${form} ${call.args.join(' ')}`, result, armed });
    expectNoLeak(result, armed);
    if (form === 'node') refused.push(...(await holdInOtherModes(fixture, call, exit, armed)));
    expect(snapshot(fixture.base)).toBe(before);
    return;
  }
  expect(lstatSync(fixture.hook, { throwIfNoEntry: false })).toBeUndefined();
  expect(fixture.leftovers()).toEqual([]);
  const added = fixture.archives().filter((name) => !archivesBefore.includes(name));
  expect(added).toHaveLength(1);
  const archive = fixture.path('cycles', added[0] ?? '');
  // Hashes: comparing two large buffers element by element takes half a minute.
  expect(sha256(readFileSync(archive))).toBe(armed === null ? '' : sha256(armed));
  expect(lstatSync(archive).mode & 0o777).toBe(0o444);
  expect(result.out).toContain(`cycles/${added[0]}`);
}

/** The same refusal in every output mode, and none of them tells anything. Answers what they printed. */
async function holdInOtherModes(
  fixture: Fixture,
  call: Expected,
  exit: number,
  armed: Buffer | null,
): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const mode of ['--json', '--debug']) {
    const result = await run(fixture, 'node', { ...call, args: [mode, ...call.args] });
    if (call.args.includes('--help')) continue;
    refused.push({ call: `node ${mode} ${call.args.join(' ')}`, result, armed });
    expect(result.code, mode).toBe(exit);
    expectNoLeak(result, armed);
    if (mode === '--json') {
      const record: unknown = JSON.parse(result.out);
      expect(Object.keys(record as object).sort()).toEqual(['dissolved', 'message', 'reason']);
    }
  }
  return refused;
}

/** No digit at all, so no cycle, digest, length or time; and nothing of the first line. */
export function expectNoLeak(result: Result, armed: Buffer | null): void {
  const printed = result.out + result.err;
  expect(printed).not.toMatch(/[0-9]/);
  expect(printed).not.toContain(title);
  expect(printed).not.toContain('Cycle ');
  if (armed !== null) expect(printed.toLowerCase()).not.toContain(sha256(armed).slice(0, 6));
}

function contentOf(path: string): Buffer | null {
  try {
    return lstatSync(path).isFile() && lstatSync(path).size < 3_000_000 ? readFileSync(path) : null;
  } catch {
    return null;
  }
}
