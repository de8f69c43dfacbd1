/**
 * The handoff reader in the pane: opened on what came from the disk, wrapped to the screen, and driven by the machine of
 * `domain/handoff-reader.ts`, which alone decides what is seen, acknowledged and asked for. Pure.
 */
import {
  archivedAs,
  openReader,
  type ReaderEvent,
  readerStep,
  type ShownHandoff,
} from '../../domain/handoff-reader.ts';
import type { Size } from '../terminal/screen.ts';
import { pageLayout, wrapPage } from '../text/page.ts';
import type { Step } from './context.ts';
import type { OpenReader, UiState } from './ui-state.ts';

type Source = Extract<ShownHandoff, { kind: 'open' }>;

/** A handoff came from the disk: it is opened if that was asked for; one being read is compared with it. */
export function takeHandoff(ui: UiState, tree: string, shown: ShownHandoff, size: Size, now: number): Step {
  const { reader } = ui;
  if (reader?.machine.document.tree === tree) {
    if (shown.kind === 'refused') return stepReader(ui, { kind: 'closed', message: shown.message }, now);
    const isBusy = reader.machine.step === 'value' && reader.machine.busy;
    if (isBusy || shown.digest === reader.machine.document.digest) return { ui, effects: [] };
    const lines = { lines: shown.lines, columns: size.columns };
    return stepReader(
      { ...ui, reader: { ...reader, ...lines } },
      { kind: 'changed', document: wrapped(shown, size) },
      now,
    );
  }
  if (ui.opening !== tree || reader !== null) return { ui, effects: [] };
  const opened: UiState = { ...ui, opening: null, message: null };
  if (shown.kind === 'refused')
    return { ui: { ...opened, message: { text: shown.message, kind: 'wait' } }, effects: [] };
  const machine = openReader(wrapped(shown, size), pageLayout(size.columns, size.rows).text);
  return { ui: withReader(opened, { machine, lines: shown.lines, columns: size.columns }), effects: [] };
}

const wrapped = ({ tree, digest, lines }: Source, { columns }: Size) => ({
  tree,
  digest,
  lines: wrapPage(lines, columns),
});

/** The same text for another size of the screen. */
export function fitReader(ui: UiState, { columns, rows }: Size, now: number): UiState {
  const { reader } = ui;
  const room = pageLayout(columns, rows).text;
  if (reader === null || (reader.columns === columns && reader.machine.rows === room)) return ui;
  const lines = reader.columns === columns ? reader.machine.document.lines : wrapPage(reader.lines, columns);
  return stepReader({ ...ui, reader: { ...reader, columns } }, { kind: 'resize', rows: room, lines }, now).ui;
}

/** The gate's answer about a tree. One whose reader was left is told all the same, and is no answer to another reader. */
export function answerReader(ui: UiState, tree: string, event: ReaderEvent, now: number): Step {
  if (ui.reader !== null && treeOf(ui.reader) === tree) return stepReader(ui, event, now);
  return { ui: tellAnswer(ui, event), effects: [] };
}

/** What a key or an answer makes of it. */
export function stepReader(ui: UiState, event: ReaderEvent, now: number): Step {
  if (ui.reader === null) return { ui, effects: [] };
  const { state, effect } = readerStep(ui.reader.machine, event, now);
  const effects: Step['effects'] = effect === null ? [] : [{ kind: 'handoff', effect }];
  if (state.step === 'left') return { ui: leave(ui, state.notice, 'wait'), effects };
  if (state.step === 'dissolved') return { ui: leave(ui, state.notice, 'good'), effects };
  // After a refusal what lies on the disk is read again: it may not be what was shown any more.
  const again: Step['effects'] = event.kind === 'refused' ? [{ kind: 'read-handoff', tree: treeOf(ui.reader) }] : [];
  const reader = state === ui.reader.machine ? ui.reader : { ...ui.reader, machine: state };
  return { ui: withReader(ui, reader), effects: [...effects, ...again] };
}

export const treeOf = (reader: OpenReader): string => reader.machine.document.tree;

const withReader = (ui: UiState, reader: OpenReader): UiState => (reader === ui.reader ? ui : { ...ui, reader });

const leave = (ui: UiState, text: string, kind: 'wait' | 'good'): UiState => ({
  ...ui,
  reader: null,
  message: { text, kind },
});

function tellAnswer(ui: UiState, event: ReaderEvent): UiState {
  if (event.kind === 'refused') return { ...ui, message: { text: event.message, kind: 'wait' } };
  if (event.kind !== 'done') return ui;
  return { ...ui, message: { text: archivedAs(event.archive), kind: 'good' } };
}
