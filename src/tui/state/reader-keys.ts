/**
 * Keys while a handoff is read. The reader has keys of its own and nothing else: no action, palette or prompt leads past
 * its steps, and none leads into the middle of them.
 */

import type { ReaderEvent } from '../../domain/handoff-reader.ts';
import { cleanLine } from '../../domain/text.ts';
import type { Key } from '../terminal/keys.ts';
import { type Context, change, type Step } from './context.ts';
import { stepReader } from './reader.ts';
import type { OpenReader } from './ui-state.ts';

export interface ReaderKey {
  /** As the decoder names them; the first is shown. */
  keys: readonly string[];
  label: string;
  event: ReaderEvent;
}

const leave: ReaderKey = { keys: ['escape', 'ctrl-c'], label: 'leave it armed', event: { kind: 'escape' } };
const erase: ReaderKey = { keys: ['backspace', 'ctrl-h'], label: 'erase', event: { kind: 'erase' } };

/** By step, in the order of the footer. */
const table: Record<OpenReader['machine']['step'], readonly ReaderKey[]> = {
  reading: [
    { keys: ['space', 'pagedown', 'ctrl-d'], label: 'next page', event: { kind: 'scroll', to: 'page_down' } },
    { keys: ['enter'], label: 'acknowledge', event: { kind: 'confirm' } },
    leave,
    { keys: ['j', 'down', 'ctrl-n'], label: 'down', event: { kind: 'scroll', to: 'down' } },
    { keys: ['k', 'up', 'ctrl-p'], label: 'up', event: { kind: 'scroll', to: 'up' } },
    { keys: ['pageup', 'ctrl-u', 'b'], label: 'page before', event: { kind: 'scroll', to: 'page_up' } },
    { keys: ['home'], label: 'top', event: { kind: 'scroll', to: 'top' } },
    { keys: ['end'], label: 'end', event: { kind: 'scroll', to: 'end' } },
  ],
  acknowledge: [
    { keys: ['enter'], label: 'acknowledge', event: { kind: 'confirm' } },
    { keys: ['tab'], label: 'read, nothing to carry over', event: { kind: 'nothing_to_carry' } },
    leave,
    erase,
  ],
  value: [{ keys: ['enter'], label: 'dissolve', event: { kind: 'confirm' } }, leave, erase],
};

export const readerKeys = (reader: OpenReader): readonly ReaderKey[] => table[reader.machine.step];

export function pressReaderKey(context: Context, reader: OpenReader, key: Key, now: number): Step {
  const event = eventOf(reader, key);
  return event === null ? change(context, {}) : stepReader(context.ui, event, now);
}

function eventOf(reader: OpenReader, key: Key): ReaderEvent | null {
  const isField = reader.machine.step !== 'reading';
  if (isField && key.kind === 'text') return { kind: 'text', text: key.text };
  if (key.kind === 'paste') return isField ? { kind: 'text', text: cleanLine(key.text) } : null;
  const name = key.kind === 'key' ? key.name : key.text === ' ' ? 'space' : key.text;
  return readerKeys(reader).find(({ keys }) => keys.includes(name))?.event ?? null;
}
