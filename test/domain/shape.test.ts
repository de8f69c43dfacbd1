/** What an event checks by hand is what everybody else checks by schema: the two never answer differently. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { beadSchema, beadStatuses, priorities } from '../../src/domain/bead.ts';
import { agentShape, beadShape, gateShape, hookShape, sessionShape } from '../../src/domain/event-shapes.ts';
import { hookSchema, hookStatuses } from '../../src/domain/hook.ts';
import { agentSchema, freshnessStatuses, gateKinds, gateSchema, sessionSchema } from '../../src/domain/records.ts';
import { checkedBy, type Shape } from '../../src/domain/shape.ts';

const at = '2026-01-02T03:04:05.678Z';
const records: readonly {
  name: string;
  schema: z.ZodMiniType;
  shape: Shape;
  sample: object;
  words: readonly string[];
}[] = [
  {
    name: 'agent',
    schema: agentSchema,
    shape: agentShape,
    words: [],
    sample: {
      agent_id: 'polecat-a',
      role: 'polecat',
      runtime: 'claude',
      instance_id: 'i',
      pane_id: '%1',
      pid: 12,
      pid_started: 'boot:7',
      started_at: at,
      session_id: 's',
      previous_sessions: ['r'],
      worktree: '/w',
      branch: 'b',
      stop_intent: false,
      strategy: 'hook_injection',
      fallback_at: at,
      ready_at: at,
      first_event_at: at,
      start_error: 'e',
      start_text: 't',
      start_receipt: 'r',
      primed_at: at,
    },
  },
  {
    name: 'session',
    schema: sessionSchema,
    shape: sessionShape,
    words: freshnessStatuses,
    sample: {
      session_id: 's',
      agent_id: 'polecat-a',
      governed: true,
      status: 'asking',
      note: 'n',
      proposal: 'p',
      tool_use_id: 't',
      updated_at: at,
      source: 'PreToolUse',
      permission: { tool: 'Bash', at },
      subagent_question: { note: 'n', tool_use_id: 't', at },
      subagents: ['one', 'two'],
      stop_asked_at: at,
      stopped_at: at,
      ended_at: at,
      instance_id: 'i',
      owner: { pid: 4, pid_started: 'boot:7' },
    },
  },
  {
    name: 'hook',
    schema: hookSchema,
    shape: hookShape,
    words: hookStatuses,
    sample: {
      agent_id: 'polecat-a',
      status: 'active',
      work_item: { bead_id: 'gt-1', title: 'a', assigned_at: at },
      last_activity: at,
    },
  },
  {
    name: 'bead',
    schema: beadSchema,
    shape: beadShape,
    words: [...beadStatuses, ...priorities],
    sample: {
      bead_id: 'gt-1',
      title: 't',
      description: 'd',
      status: 'open',
      priority: 'P1',
      assignee: 'polecat-a',
      needs: ['gt-2'],
      created_at: at,
    },
  },
  {
    name: 'gate',
    schema: gateSchema,
    shape: gateShape,
    words: gateKinds,
    sample: { kind: 'human', reason: 'r', opened_at: at, by: 'operator' },
  },
];

type Path = readonly (string | number)[];

/** Every place in a value, its own included. */
function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

/** A copy with one place changed: replaced, taken away, or given a key more. */
function changed(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) };
  const next = changed(Reflect.get(copy, key), rest, change);
  if (next === undefined && !Array.isArray(copy)) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, next ?? null);
  return copy;
}

/** Of a key that no record has, a schema drops exactly one: as an own key it is harmless, and a shape keeps it. */
const unknownKey = fc.string().filter((key) => key !== '__proto__');

const odd = (words: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(
      null,
      undefined,
      true,
      0,
      -1.5,
      1e21,
      '',
      'x',
      at,
      '2026-01-02',
      '2026-13-45T99:00:00Z',
      at.replace('Z', '+02:00'),
      [],
      [null],
      {},
      ...words,
    ),
    fc.constantFrom(Number.POSITIVE_INFINITY, 2 ** 60),
    fc.jsonValue({ maxDepth: 2 }),
    fc.string(),
  );

test.each(records)(
  'a $name is accepted by its shape exactly when its schema accepts it, with the same value',
  (record) => {
    const { schema, shape, sample, words } = record;
    const checked = checkedBy(shape);
    const agree = (value: unknown): boolean => {
      const bySchema = schema.safeParse(value);
      const byShape = checked.safeParse(value);
      expect(byShape.success, JSON.stringify(value)).toBe(bySchema.success);
      if (byShape.success && bySchema.success) expect(byShape.data).toEqual(bySchema.data);
      return byShape.success;
    };
    expect(agree(sample)).toBe(true);
    const places = placesIn(sample);
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...places), odd(words)), { minLength: 1, maxLength: 3 }),
        (changes) => {
          let value: unknown = sample;
          for (const [path, next] of changes) {
            if (typeof value === 'object' && value !== null) value = changed(value, path, () => next);
          }
          verdicts.add(agree(value));
        },
      ),
      { numRuns: 1_500 },
    );
    // Each key of its own: gone, null, of another type.
    for (const path of places)
      for (const next of [undefined, null, 7, 'x', [], {}]) agree(changed(sample, path, () => next));
    fc.assert(
      fc.property(fc.dictionary(unknownKey, fc.jsonValue()), (more) => agree({ ...more, ...sample })),
      { numRuns: 200 },
    );
    expect(verdicts).toEqual(new Set([true, false]));
  },
);
