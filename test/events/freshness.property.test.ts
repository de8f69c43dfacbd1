/** Freshness over any sequence of events and declarations (seed 003): what must always hold. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventKinds, eventOf, type RuntimeEvent } from '../../src/domain/event.ts';
import {
  type Declaration,
  declare,
  isCleanlyActive,
  isDeclared,
  needsDeclaration,
  newSession,
  nextSession,
} from '../../src/domain/freshness.ts';
import { type SessionRecord, sessionSchema } from '../../src/domain/records.ts';

const ids = ['t1', 't2', 'q1'] as const;
const event: fc.Arbitrary<RuntimeEvent> = fc
  .record({
    kind: fc.constantFrom(...eventKinds),
    subagent: fc.constantFrom(null, null, null, 'sub-1'),
    id: fc.constantFrom(...ids),
    asks: fc.boolean(),
    prompt: fc.string(),
    source: fc.constantFrom(null, 'startup', 'resume', 'clear', 'compact'),
    running: fc.constantFrom(null, [], ['sub-1']),
    text: fc.option(fc.string({ unit: 'binary' })),
  })
  .map(({ kind, subagent, id, asks, prompt, source, running, text }) =>
    eventOf({
      kind,
      name: kind,
      subagent,
      source,
      prompt: kind === 'prompt' ? prompt : null,
      tool: { id, name: 'X', question: asks ? `question ${id}` : null, input: null, response: null },
      ended: [id],
      running,
      text,
    }),
  );
const declaration: fc.Arbitrary<Declaration> = fc.oneof(
  fc.record({ kind: fc.constant('park' as const), note: fc.option(fc.string({ unit: 'binary' })) }),
  fc.record({ kind: fc.constant('ask' as const), note: fc.string({ unit: 'binary' }) }),
  fc.record({ kind: fc.constant('propose' as const), proposal: fc.string(), note: fc.constant(null) }),
  fc.record({ kind: fc.constant('idle' as const), note: fc.constant(null) }),
);
const step = fc.oneof({ weight: 4, arbitrary: event }, { weight: 1, arbitrary: declaration });

const start = newSession('s-1', 'polecat-alpha', true, 0);
const isDeclaration = (one: RuntimeEvent | Declaration): one is Declaration => !('session_id' in one);
const apply = (record: SessionRecord, one: RuntimeEvent | Declaration, now: number): SessionRecord =>
  isDeclaration(one)
    ? declare(record, one, now)
    : (nextSession(record, one, now, { work: true, blockedBy: null }) ?? record);

/** Checks `holds` at every step of any history. */
function always(holds: (before: SessionRecord, one: RuntimeEvent | Declaration, after: SessionRecord) => void): void {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let record = start;
      for (const [index, one] of steps.entries()) {
        const next = apply(record, one, index + 1);
        holds(record, one, next);
        record = next;
      }
    }),
    { numRuns: 300 },
  );
}
const stated = ({ status, note, proposal, tool_use_id }: SessionRecord) => ({ status, note, proposal, tool_use_id });

describe('freshness, whatever happens', () => {
  it('a record can always be written and read back', () => {
    always((_, __, after) => {
      expect(sessionSchema.parse(JSON.parse(JSON.stringify(after)))).toEqual(after);
    });
  });

  it('a subagent never changes the declared state; its end may be the end of a turn that had stopped before', () => {
    always((before, one, after) => {
      if (isDeclaration(one) || one.subagent === null) return;
      const ends = one.kind === 'subagent_end' && before.status === 'active' && Boolean(before.stopped_at);
      expect(stated(after)).toEqual(
        ends && after.status === 'idle' ? { ...stated(before), status: 'idle' } : stated(before),
      );
    });
  });

  it('active carries neither note nor proposal', () => {
    always((_, __, after) => {
      if (after.status === 'active')
        expect(stated(after)).toMatchObject({ note: null, proposal: null, tool_use_id: null });
    });
  });

  it('only work of its own, a prompt or a new word ends a declaration', () => {
    always((before, one, after) => {
      if (!isDeclared(before) || isDeclaration(one)) return;
      const mayEnd = one.subagent === null && (one.kind === 'prompt' || one.kind === 'tool_start');
      if (!mayEnd) expect(stated(after)).toEqual(stated(before));
    });
  });

  it("a question ends with its own end, a prompt or a stop, and with no other tool's", () => {
    always((before, one, after) => {
      if (before.status !== 'asking' || before.tool_use_id === null || isDeclaration(one) || one.subagent !== null)
        return;
      const other = one.tool?.id !== before.tool_use_id;
      if (other && one.kind === 'tool_end') expect(stated(after)).toEqual(stated(before));
      if (one.kind === 'tool_start' && one.tool?.question === null) expect(stated(after)).toEqual(stated(before));
    });
  });

  it('the same event twice writes once', () => {
    always((before, one) => {
      if (isDeclaration(one)) return;
      const once = nextSession(before, one, 1) ?? before;
      const twice = nextSession(once, one, 2);
      expect(twice).toBeNull();
    });
  });

  it('a stop is asked for a declaration once in a turn', () => {
    always((before, one) => {
      if (isDeclaration(one) || !needsDeclaration(before, one, true)) return;
      const blocked = nextSession(before, one, 1, { work: true, blockedBy: 'gate' }) ?? before;
      expect(needsDeclaration(blocked, one, true)).toBe(false);
      const stopped = nextSession(blocked, one, 2, { work: true, blockedBy: null }) ?? blocked;
      expect(stopped.status).toBe('asking');
    });
  });

  it('what the shell may answer alone is changed by no tool of no question', () => {
    always((before, one) => {
      if (!isCleanlyActive(before) || isDeclaration(one) || one.tool?.question !== null) return;
      if (['tool_start', 'tool_end', 'batch_end'].includes(one.kind)) expect(nextSession(before, one, 1)).toBeNull();
    });
  });

  it('an ungoverned session is never touched', () => {
    fc.assert(
      fc.property(event, (one) => {
        expect(nextSession({ ...start, governed: false }, one, 1)).toBeNull();
        expect(nextSession(null, one, 1)).toBeNull();
      }),
    );
  });
});
