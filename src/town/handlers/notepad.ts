/** Notes that outlive a compaction, by agent: `handlers/notepad.json`. Priority notes are never forgotten, the others age. */
import { refused, usage } from '../../domain/errors.ts';
import { storedText } from '../../domain/prose.ts';
import { quoteLine } from '../../domain/quote.ts';
import { checkedBy, flag, listOf, number, objectOf, text, time } from '../../domain/shape.ts';
import { parseTime, toIso } from '../../domain/time.ts';
import { handlerSlot, readState, type StatePlace, writeState } from '../state.ts';

export interface Note {
  id: number;
  agent_id: string;
  text: string;
  priority: boolean;
  at: string;
}

const shape = checkedBy<{ notes: Note[] }>(
  objectOf({ notes: listOf(objectOf({ id: number, agent_id: text, text, priority: flag, at: time })) }),
);
const slotOf = (place: StatePlace) => handlerSlot(place, 'notepad', null, shape);

const noteChars = 500;
const notesEach = 100;

/** Oldest first. */
export function notesOf(place: StatePlace, agentId: string): Note[] {
  const read = readState(place, slotOf(place));
  return read.kind === 'ok' ? read.value.notes.filter((one) => one.agent_id === agentId) : [];
}

/** Throws exit 1 for an empty one; a longer one than 500 characters is cut. */
export async function addToNotepad(
  place: StatePlace,
  agentId: string,
  words: string,
  priority: boolean,
  now: number,
): Promise<Note> {
  const said = storedText(words).trim().slice(0, noteChars);
  if (said === '') throw usage('a note has words', 'gt notepad "what must not be forgotten"');
  const written = await writeState(place, slotOf(place), (current) => {
    const notes = current?.notes ?? [];
    const id = Math.max(0, ...notes.map((one) => one.id)) + 1;
    const own = notes.filter((one) => one.agent_id === agentId);
    const dropped = own.length >= notesEach ? (own.find((one) => !one.priority) ?? own[0]) : undefined;
    return {
      notes: [
        ...notes.filter((one) => one !== dropped),
        { id, agent_id: agentId, text: said, priority, at: toIso(now) },
      ],
    };
  });
  const note = written.value?.notes.at(-1);
  if (note === undefined) throw refused('the note was not written', 'try again');
  return note;
}

/** Throws exit 3 for a note that is not the agent's. */
export async function dropNote(place: StatePlace, agentId: string, id: number): Promise<void> {
  const written = await writeState(place, slotOf(place), (current) => {
    const notes = (current?.notes ?? []).filter((one) => one.id !== id || one.agent_id !== agentId);
    return notes.length === (current?.notes.length ?? 0) ? null : { notes };
  });
  if (!written.changed) throw refused(`there is no note ${id} of ${agentId}`, 'gt notepad shows them');
}

/** Working memory is forgotten after `days`. Answers how many notes went. */
export async function pruneNotes(place: StatePlace, days: number, now: number): Promise<number> {
  let gone = 0;
  const isKept = ({ priority, at }: Note): boolean => priority || now - (parseTime(at) ?? now) < days * 86_400_000;
  const read = readState(place, slotOf(place));
  if (read.kind !== 'ok' || read.value.notes.every(isKept)) return 0;
  await writeState(place, slotOf(place), (current) => {
    const notes = (current?.notes ?? []).filter(isKept);
    gone = (current?.notes.length ?? 0) - notes.length;
    return gone === 0 ? null : { notes };
  });
  return gone;
}

/** What a session is given: priority notes at every beginning, working memory where its context was lost. Bounded. */
export function notepadText(notes: readonly Note[], isLost: boolean): string | null {
  const priority = within(
    notes.filter((one) => one.priority),
    1_000,
  );
  const working = isLost
    ? within(
        notes.filter((one) => !one.priority),
        2_000,
      )
    : [];
  if (priority.length + working.length === 0) return null;
  return [
    '[gastown] Your own notes (gt notepad):',
    ...priority.map((one) => `! ${quoteLine(one.text, noteChars)}`),
    ...working.map((one) => `- ${quoteLine(one.text, noteChars)}`),
  ].join('\n');
}

/** The newest that fit, oldest first. */
function within(notes: readonly Note[], chars: number): Note[] {
  const kept: Note[] = [];
  let used = 0;
  for (const one of [...notes].reverse()) {
    used += one.text.length;
    if (used > chars && kept.length > 0) break;
    kept.unshift(one);
  }
  return kept;
}
