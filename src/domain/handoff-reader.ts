/**
 * The control pane's way to dissolve a handoff, as a pure machine: read it to its last line, acknowledge it in words,
 * then type its value into an empty field. A wrong value leads back to the top of the text; leaving at any step, or
 * dying, leaves it armed. The machine never knows the right value.
 */

/** What is read: `lines` are wrapped for the screen and show hidden characters; `digest` is of the bytes they show. */
export interface ReaderDocument {
  tree: string;
  digest: string;
  lines: readonly string[];
}

/** What reading a tree's handoff from the disk came to: the whole text, hidden characters made visible, or why not. */
export type ShownHandoff =
  | { kind: 'open'; tree: string /** SHA-256, kept in memory and never drawn. */; digest: string; lines: string[] }
  | { kind: 'refused'; message: string };

/** What a typed value came to; `archive` is `cycles/<name>`. */
export type ValueOutcome = { kind: 'done'; archive: string } | { kind: 'refused'; message: string };

interface Base {
  document: ReaderDocument;
  /** Lines of the document that the screen has room for; with 0 nothing of it is seen. */
  rows: number;
  /** One constant line, or null. */
  notice: string | null;
}

export type ReaderState =
  | (Base & { step: 'reading'; top: number; seenLast: boolean })
  | (Base & { step: 'acknowledge'; text: string })
  | (Base & { step: 'value'; text: string; openedAt: number; busy: boolean })
  | { step: 'left'; notice: string }
  | { step: 'dissolved'; archive: string; notice: string };

/** Still open. */
export type ActiveReader = Exclude<ReaderState, { step: 'left' | 'dissolved' }>;

export type ReaderEvent =
  | { kind: 'scroll'; to: 'up' | 'down' | 'page_up' | 'page_down' | 'top' | 'end' }
  /** Return: goes on from reading, submits a field. */
  | { kind: 'confirm' }
  /** The prepared answer of the acknowledgement. */
  | { kind: 'nothing_to_carry' }
  | { kind: 'text'; text: string }
  | { kind: 'erase' }
  | { kind: 'escape' }
  /** The screen changed its size: the same bytes, wrapped anew. */
  | { kind: 'resize'; rows: number; lines: readonly string[] }
  /** The file changed on disk. */
  | { kind: 'changed'; document: ReaderDocument }
  /** It is gone, or cannot be read any more. */
  | { kind: 'closed'; message: string }
  | { kind: 'refused'; message: string }
  | { kind: 'done'; archive: string };

/** What the caller carries out and answers with `refused` or `done`; an acknowledgement is answered only if it fails. */
export type ReaderEffect =
  | { kind: 'acknowledge'; tree: string; digest: string; sentence: string }
  | { kind: 'dissolve'; tree: string; digest: string; value: string };

export interface ReaderStep {
  state: ReaderState;
  effect: ReaderEffect | null;
}

const sentenceMinimum = 10;
/** Keys that were on their way when the field appeared are not a value. */
export const settleMs = 500;
const nothingToCarry = 'read, nothing to carry over';
export const stillArmed = 'the handoff stays armed';
/** The one line for every value that is not the right one. */
export const wrongValue = 'the value does not match; the handoff stays armed: read it again';
const underWay = 'left while its dissolution was under way; the answer follows';

export const openReader = (document: ReaderDocument, rows: number): ActiveReader => atTop(document, rows, null);

/** `now` in milliseconds. Events that mean nothing in a step change nothing. */
export function readerStep(state: ReaderState, event: ReaderEvent, now: number): ReaderStep {
  if (state.step === 'left' || state.step === 'dissolved') return same(state);
  switch (event.kind) {
    case 'escape':
      return same({ step: 'left', notice: isBusy(state) ? underWay : stillArmed });
    case 'changed':
      return same(isBusy(state) ? state : atTop(event.document, state.rows, 'it changed on disk: read it again'));
    case 'closed':
      return same(isBusy(state) ? state : { step: 'left', notice: event.message });
    case 'resize':
      return same(resized(state, event.rows, { ...state.document, lines: event.lines }));
    case 'refused':
      return same(atTop(state.document, state.rows, event.message));
    case 'done':
      return same({ step: 'dissolved', archive: event.archive, notice: archivedAs(event.archive) });
  }
  if (state.step === 'reading') return same(read(state, event));
  return state.step === 'acknowledge' ? acknowledge(state, event, now) : typeValue(state, event, now);
}

export const archivedAs = (archive: string): string => `archived, not committed: ${archive}`;

/** When the field takes keys, ms; null where there is none that waits. */
export const fieldOpensAt = (state: ActiveReader): number | null =>
  state.step === 'value' ? state.openedAt + settleMs : null;

const same = (state: ReaderState): ReaderStep => ({ state, effect: null });

/** The value's own answer is on its way: what the disk shows meanwhile may be this very dissolution. */
const isBusy = (state: ReaderState): boolean => state.step === 'value' && state.busy;

function atTop(document: ReaderDocument, rows: number, notice: string | null): ActiveReader {
  const seenLast = rows > 0 && document.lines.length <= rows;
  return { step: 'reading', document, rows: Math.max(0, rows), top: 0, seenLast, notice };
}

/** What was seen before a resize was seen in another wrapping: reading starts again. Fields only keep their text. */
function resized(state: ActiveReader, rows: number, document: ReaderDocument) {
  return state.step === 'reading'
    ? atTop(document, rows, state.notice)
    : { ...state, rows: Math.max(0, rows), document };
}

type Reading = Extract<ReaderState, { step: 'reading' }>;

function read(state: Reading, event: ReaderEvent): ReaderState {
  if (event.kind === 'confirm') {
    return state.seenLast
      ? { step: 'acknowledge', document: state.document, rows: state.rows, text: '', notice: null }
      : { ...state, notice: 'read it to its last line first' };
  }
  if (event.kind !== 'scroll' || state.rows === 0) return state;
  const last = Math.max(0, state.document.lines.length - state.rows);
  const moves = { up: -1, down: 1, page_up: -state.rows, page_down: state.rows, top: -Infinity, end: Infinity };
  const top = Math.min(last, Math.max(0, state.top + moves[event.to]));
  return { ...state, top, seenLast: state.seenLast || top === last, notice: null };
}

function acknowledge(
  state: Extract<ReaderState, { step: 'acknowledge' }>,
  event: ReaderEvent,
  now: number,
): ReaderStep {
  if (event.kind === 'text') return same({ ...state, text: withText(state.text, event.text), notice: null });
  if (event.kind === 'erase') return same({ ...state, text: withoutLast(state.text), notice: null });
  if (event.kind !== 'confirm' && event.kind !== 'nothing_to_carry') return same(state);
  const sentence = event.kind === 'confirm' ? state.text.trim() : nothingToCarry;
  if (Array.from(sentence).length < sentenceMinimum) {
    return same({ ...state, notice: 'say in a sentence what you carry over' });
  }
  const { document, rows } = state;
  return {
    state: { step: 'value', document, rows, text: '', openedAt: now, busy: false, notice: null },
    effect: { kind: 'acknowledge', tree: document.tree, digest: document.digest, sentence },
  };
}

function typeValue(state: Extract<ReaderState, { step: 'value' }>, event: ReaderEvent, now: number): ReaderStep {
  if (state.busy || now - state.openedAt < settleMs) return same(state);
  if (event.kind === 'text') return same({ ...state, text: withText(state.text, event.text), notice: null });
  if (event.kind === 'erase') return same({ ...state, text: withoutLast(state.text), notice: null });
  if (event.kind !== 'confirm' || state.text === '') return same(state);
  const { tree, digest } = state.document;
  // The field is emptied at once: a second return cannot submit it again.
  return {
    state: { ...state, text: '', busy: true },
    effect: { kind: 'dissolve', tree, digest, value: state.text.trim() },
  };
}

const fieldLimit = 500;
const withText = (text: string, more: string): string =>
  Array.from(text + more)
    .slice(0, fieldLimit)
    .join('');
const withoutLast = (text: string): string => Array.from(text).slice(0, -1).join('');
