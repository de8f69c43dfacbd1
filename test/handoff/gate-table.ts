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
  calls: readonly Expected[];
  /** Asked after the calls, beyond what every call is held to. */
  afterwards?: (fixture: Fixture, form: Form) => void | Promise<void>;
  /** Forms it applies to; all by default. */
  forms?: readonly Form[];
}

/** `exit`: one code for all forms, or one for Node and one for the script where their tree rules differ. */
export interface Expected extends Call {
  exit: number | { node: number; sh: number };
  /** Arms the tree anew before this call. */
  rearm?: string | Uint8Array;
}

/** Every output of every refused call, by form: the leak cases read it. */
export function gateTable(heading: string, cases: readonly GateCase[]): void {
  describe.concurrent(heading, () => {
    const made: Fixture[] = [];
    afterAll(() => {
      for (const fixture of made) fixture.remove();
    });
    for (const gateCase of cases) {
      for (const form of gateCase.forms ?? forms) {
        test(`${gateCase.name} [${form}]`, async () => {
          const fixture = new NewFixture();
          made.push(fixture);
          if (gateCase.armed !== null) fixture.arm(gateCase.armed);
          await gateCase.prepare?.(fixture);
          for (const call of gateCase.calls) await hold(fixture, form, call);
          await gateCase.afterwards?.(fixture, form);
        });
      }
    }
  });
}

async function hold(fixture: Fixture, form: Form, call: Expected): Promise<void> {
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
    expectNoLeak(result, armed);
    if (form === 'node') await holdInOtherModes(fixture, call, exit, armed);
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

/** A75, A77: the same refusal in every output mode, and none of them tells anything. */
async function holdInOtherModes(fixture: Fixture, call: Expected, exit: number, armed: Buffer | null): Promise<void> {
  for (const mode of ['--json', '--debug']) {
    const result = await run(fixture, 'node', { ...call, args: [mode, ...call.args] });
    if (call.args.includes('--help')) continue;
    expect(result.code, mode).toBe(exit);
    expectNoLeak(result, armed);
    if (mode === '--json') {
      const record: unknown = JSON.parse(result.out);
      expect(Object.keys(record as object).sort()).toEqual(['dissolved', 'message', 'reason']);
    }
  }
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
