/** Work items: add, look up, close and reopen. Dispatch is `sling`; import has a file of its own. */
import { randomBytes } from 'node:crypto';
import { type Bead, type Priority, readyBeads } from '../domain/bead.ts';
import { conflict, unreadable, usage } from '../domain/errors.ts';
import { newBeadId, parseId } from '../domain/ids.ts';
import { cleanLine, cleanText } from '../domain/text.ts';
import { toIso } from '../domain/time.ts';
import type { Town } from './context.ts';
import { note } from './note.ts';

export interface NewBead {
  /** Of a longer text, the first line is the title and all of it the description. */
  title: string;
  description?: string | undefined;
  priority?: Priority | undefined;
  /** Beads that must be done first; each must exist. */
  needs?: readonly string[] | undefined;
  /** Made up when missing. */
  bead_id?: string | undefined;
}

export interface BeadList {
  /** By age, oldest first. */
  beads: Bead[];
  /** One line for each record that cannot be read. */
  problems: string[];
}

/** Characters of a title; a longer one is cut and kept whole as the description. */
const titleLimit = 200;
/** Bytes of a description: leaves room in a record of 1 MiB for JSON's escapes. */
const descriptionLimitBytes = 400_000;

/** Writes a new open bead. Throws exit 1 for a bad title or an unknown need, exit 5 when the id is taken. */
export async function addBead(town: Town, wanted: NewBead, by = callerName(town)): Promise<Bead> {
  const { title, description } = textsOf(wanted);
  const needs = [...new Set(wanted.needs ?? [])].map((id) => parseId('bead', id));
  for (const need of needs) requireBead(town, need);
  const written = await writeNew(town, wanted.bead_id, (bead_id) => ({
    bead_id,
    title,
    description,
    status: 'open',
    priority: wanted.priority ?? 'P2',
    assignee: null,
    needs,
    created_at: toIso(town.clock()),
  }));
  note(town, 'bead.added', `${written.bead_id} added: ${title}`, { by, bead_id: written.bead_id });
  return written;
}

/** A made-up id that is taken already is no error: another is made up. */
async function writeNew(town: Town, wantedId: string | undefined, make: (id: string) => Bead): Promise<Bead> {
  for (;;) {
    const bead_id = wantedId === undefined ? newBeadId(randomBytes(5)) : parseId('bead', wantedId);
    const { changed, value } = await town.store.beads.update(bead_id, (current) => {
      if (current === null) return make(bead_id);
      if (wantedId === undefined) return null;
      throw conflict(`there is already a bead ${bead_id}: ${current.title}`, 'choose another id');
    });
    if (changed && value) return value;
  }
}

/** The title and description as they are kept: cleaned, within their limits. */
export function textsOf({ title, description = '' }: Pick<NewBead, 'title' | 'description'>): {
  title: string;
  description: string;
} {
  const whole = cleanText(title).trim();
  const [first = ''] = whole.split('\n');
  const line = cleanLine(first);
  if (line === '') throw usage('a bead needs a title', 'gastown bead add "what is to be done"');
  const text = cleanText(description).trim();
  const isCut = whole.includes('\n') || line.length > titleLimit;
  const kept = isCut ? [whole, text].filter((part) => part !== '').join('\n\n') : text;
  if (Buffer.byteLength(kept) > descriptionLimitBytes) {
    throw usage(`the description is longer than ${descriptionLimitBytes} bytes`, 'put it in a file and name the file');
  }
  return { title: line.length > titleLimit ? `${line.slice(0, titleLimit - 1)}…` : line, description: kept };
}

/** The bead, or exit 1 for an id that is malformed or unknown, exit 4 for a record nobody can read. */
export function requireBead(town: Town, beadId: string): Bead {
  const read = town.store.beads.read(parseId('bead', beadId));
  if (read.kind === 'ok') return read.value;
  if (read.kind === 'absent') throw usage(`there is no bead ${beadId}`, 'see gastown bead list');
  throw unreadable(`the record of ${beadId} is ${read.kind}: ${read.reason}`, 'mend or remove the file');
}

export function listBeads(town: Town): BeadList {
  const beads: Bead[] = [];
  const problems: string[] = [];
  for (const [id, read] of town.store.beads.readAll()) {
    if (read.kind === 'ok') beads.push(read.value);
    else if (read.kind !== 'absent') problems.push(`the record of ${id} is ${read.kind}: ${read.reason}`);
  }
  beads.sort((a, b) => compare(a.created_at, b.created_at) || compare(a.bead_id, b.bead_id));
  return { beads, problems };
}

/** Open beads whose needs are done, the most urgent first. */
export function listReady(town: Town): BeadList {
  const { beads, problems } = listBeads(town);
  return { beads: readyBeads(beads), problems };
}

/** To `done`, by hand. A bead that is done already stays as it is; one on a hook is a conflict (exit 5). */
export const closeBead = (town: Town, beadId: string, by = callerName(town)): Promise<Bead> =>
  setStatus(town, beadId, 'done', by);

/** Back to `open`, whatever became of it; one on a hook is a conflict (exit 5). */
export const reopenBead = (town: Town, beadId: string, by = callerName(town)): Promise<Bead> =>
  setStatus(town, beadId, 'open', by);

/** Work that a human takes out of the way, with the reason in the journal; `reopenBead` brings it back. */
export async function setAside(
  town: Town,
  beadId: string,
  status: 'blocked' | 'failed',
  reason: string,
): Promise<void> {
  await town.store.beads.update(beadId, (bead) => {
    if (bead === null) throw usage(`there is no bead ${beadId}`, 'see gastown bead list');
    refuseHooked(town, bead);
    return { ...bead, status };
  });
  note(town, `bead.${status}`, `${beadId} ${status}: ${reason}`, { by: callerName(town), bead_id: beadId });
}

async function setStatus(town: Town, beadId: string, status: 'open' | 'done', by: string): Promise<Bead> {
  requireBead(town, beadId);
  const { changed, value } = await town.store.beads.update(beadId, (bead) => {
    if (bead === null) throw usage(`there is no bead ${beadId}`, 'see gastown bead list');
    refuseHooked(town, bead);
    if (bead.status === status || (status === 'done' && bead.status === 'merged')) return null;
    return { ...bead, status, assignee: status === 'open' ? null : bead.assignee };
  });
  if (value === null) throw new Error(`the bead ${beadId} vanished`);
  if (!changed) return value;
  const what = status === 'done' ? 'closed' : 'reopened';
  note(town, `bead.${what}`, `${beadId} ${what}`, { by, bead_id: beadId });
  return value;
}

/** Whose hook holds the bead is asked of the hook itself: a bead's status may lag behind. */
function refuseHooked(town: Town, bead: Bead): void {
  if (bead.assignee === null) return;
  const read = town.store.hooks.read(bead.assignee);
  if (read.kind === 'absent') return;
  if (read.kind !== 'ok') {
    throw unreadable(`the hook of ${bead.assignee} is ${read.kind}: ${read.reason}`, 'mend or remove the file');
  }
  if (read.value.work_item?.bead_id !== bead.bead_id) return;
  throw conflict(
    `${bead.bead_id} is on the ${read.value.status} hook of ${bead.assignee}`,
    `clear it first: gastown clear ${bead.assignee}`,
  );
}

/** An agent may add and close beads too; the journal says who did. */
const callerName = (town: Town): string => town.env['GT_AGENT_ID'] ?? 'operator';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
