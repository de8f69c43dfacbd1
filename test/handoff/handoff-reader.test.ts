import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  openReader,
  type ReaderDocument,
  type ReaderEffect,
  type ReaderEvent,
  type ReaderState,
  readerStep,
  settleMs,
  stillArmed,
} from '../../src/domain/handoff-reader.ts';

const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
const document: ReaderDocument = { tree: '/repo', digest: 'd1', lines };
const start = (rows = 10): ReaderState => openReader(document, rows);

/** Applies events one second apart; answers the state and all effects. */
function play(state: ReaderState, ...events: ReaderEvent[]): { state: ReaderState; effects: ReaderEffect[] } {
  const effects: ReaderEffect[] = [];
  let now = 1_000_000;
  for (const event of events) {
    now += 1_000;
    const next = readerStep(state, event, now);
    state = next.state;
    if (next.effect) effects.push(next.effect);
  }
  return { state, effects };
}

const confirm: ReaderEvent = { kind: 'confirm' };
const toEnd: ReaderEvent = { kind: 'scroll', to: 'end' };
const type = (text: string): ReaderEvent => ({ kind: 'text', text });
const sentence = type('the parser stays open');

describe('The reader of a handoff', () => {
  test('cannot be acknowledged before its last line was on the screen', () => {
    const early = play(start(), confirm, { kind: 'scroll', to: 'page_down' }, confirm);
    expect(early.state).toMatchObject({ step: 'reading', notice: 'read it to its last line first' });
    const paged = play(start(), { kind: 'scroll', to: 'page_down' }, { kind: 'scroll', to: 'page_down' }, confirm);
    expect(paged.state.step).toBe('acknowledge');
    expect(play(start(), toEnd, { kind: 'scroll', to: 'top' }, confirm).state.step).toBe('acknowledge');
  });

  test('a text that fits the screen was seen to its last line', () => {
    expect(play(start(30), confirm).state.step).toBe('acknowledge');
    expect(play(start(29), confirm).state.step).toBe('reading');
  });

  test('a resize and a change on disk start the reading again', () => {
    const resized = play(start(), toEnd, { kind: 'resize', rows: 5, lines }, confirm);
    expect(resized.state).toMatchObject({ step: 'reading', top: 0, seenLast: false });
    const changed = play(start(), toEnd, confirm, { kind: 'changed', document: { ...document, digest: 'd2' } });
    expect(changed.state).toMatchObject({ step: 'reading', top: 0, seenLast: false, document: { digest: 'd2' } });
    expect(changed.state.notice).toContain('read it again');
  });

  test('acknowledging needs a sentence, or the prepared one, and comes before the value, on a screen of its own', () => {
    const short = play(start(), toEnd, confirm, type('ok'), confirm);
    expect(short).toMatchObject({ state: { step: 'acknowledge' }, effects: [] });
    const said = play(start(), toEnd, confirm, sentence, confirm);
    expect(said.state).toMatchObject({ step: 'value', text: '' });
    expect(said.effects).toEqual([
      { kind: 'acknowledge', tree: '/repo', digest: 'd1', sentence: 'the parser stays open' },
    ]);
    const prepared = play(start(), toEnd, confirm, { kind: 'nothing_to_carry' });
    expect(prepared.effects).toMatchObject([{ kind: 'acknowledge', sentence: 'read, nothing to carry over' }]);
  });

  test('the value is typed into an empty field and submitted once, with the digest of what was shown', () => {
    const typed = play(
      start(),
      toEnd,
      confirm,
      sentence,
      confirm,
      confirm,
      type('035'),
      { kind: 'erase' },
      type('4'),
      confirm,
      confirm,
    );
    expect(typed.effects.slice(1)).toEqual([{ kind: 'dissolve', tree: '/repo', digest: 'd1', value: '034' }]);
    expect(typed.state).toMatchObject({ step: 'value', text: '', busy: true });
    const done = play(typed.state, { kind: 'done', archive: 'cycles/x.md' });
    expect(done.state).toMatchObject({ step: 'dissolved', notice: 'archived, not committed: cycles/x.md' });
  });

  test('keys that were under way when the field appeared are not a value', () => {
    const { state } = play(start(), toEnd, confirm, sentence, confirm);
    const openedAt = 'openedAt' in state ? state.openedAt : 0;
    const early = readerStep(state, type('034'), openedAt + settleMs - 1);
    expect(early).toEqual({ state, effect: null });
    expect(readerStep(state, type('034'), openedAt + settleMs).state).toMatchObject({ text: '034' });
  });

  test('a screen with no room for a line shows nothing, so nothing of it was read', () => {
    const none = play(start(0), toEnd, { kind: 'scroll', to: 'page_down' }, confirm);
    expect(none.state).toMatchObject({ step: 'reading', rows: 0, top: 0, seenLast: false });
    expect(play(none.state, { kind: 'resize', rows: 40, lines }, confirm).state.step).toBe('acknowledge');
  });

  test('one that vanished or cannot be read any more closes the reader, with the reason', () => {
    const closed = play(start(), toEnd, { kind: 'closed', message: 'no handoff is armed in this tree' });
    expect(closed.state).toEqual({ step: 'left', notice: 'no handoff is armed in this tree' });
  });

  test('while the gate is at work nothing claims that it stays armed, and the disk is not asked', () => {
    const { state } = play(start(), toEnd, confirm, sentence, confirm, type('34'), confirm);
    expect(state).toMatchObject({ step: 'value', busy: true });
    expect(play(state, { kind: 'closed', message: 'gone' }, { kind: 'changed', document }).state).toBe(state);
    expect(play(state, { kind: 'escape' }).state).toMatchObject({
      step: 'left',
      notice: expect.not.stringContaining('armed'),
    });
  });

  test('a wrong value leads back to the top of the text, with one constant line', () => {
    const { state } = play(start(), toEnd, confirm, sentence, confirm, type('35'), confirm, {
      kind: 'refused',
      message: 'no',
    });
    expect(state).toMatchObject({ step: 'reading', top: 0, seenLast: false, notice: 'no' });
    expect(JSON.stringify(state)).not.toContain('35');
  });

  test('whatever is pressed: escape leaves it armed, and nothing is dissolved without reading, words and value', () => {
    const events = fc.oneof(
      fc.constantFrom<ReaderEvent>(
        confirm,
        toEnd,
        { kind: 'erase' },
        { kind: 'nothing_to_carry' },
        { kind: 'scroll', to: 'page_down' },
      ),
      fc.constantFrom<ReaderEvent>({ kind: 'resize', rows: 7, lines }, { kind: 'refused', message: 'no' }),
      fc.constantFrom<ReaderEvent>({ kind: 'changed', document: { ...document, digest: 'd2' } }),
      fc.string({ maxLength: 12 }).map(type),
    );
    void fc.assert(
      fc.property(fc.array(events, { maxLength: 60 }), (sequence) => {
        let state = start();
        let now = 0;
        let seen = false;
        let acknowledged: string | null = null;
        for (const event of sequence) {
          now += 1_000;
          const left = readerStep(state, { kind: 'escape' }, now);
          const isBusy = state.step === 'value' && state.busy;
          expect(left).toEqual({ state: { step: 'left', notice: expect.any(String) }, effect: null });
          expect('notice' in left.state && left.state.notice === stillArmed).toBe(!isBusy);
          const before = state;
          const next = readerStep(state, event, now);
          state = next.state;
          if (state.step === 'reading') {
            seen = state.seenLast;
            if (before.step !== 'reading' || event.kind === 'changed') acknowledged = null;
          }
          if (next.effect?.kind === 'acknowledge') {
            expect(seen).toBe(true);
            acknowledged = next.effect.digest;
          }
          if (next.effect?.kind === 'dissolve') {
            expect(acknowledged).toBe(next.effect.digest);
            expect(next.effect.value).toBe('text' in before ? before.text.trim() : '');
          }
        }
      }),
    );
  });
});
