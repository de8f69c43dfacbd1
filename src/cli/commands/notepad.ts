/** `gt notepad`: what an agent must not forget, over a compaction too. */
import { usage } from '../../domain/errors.ts';
import { callerOf } from '../../town/agent/caller.ts';
import { addToNotepad, dropNote, notesOf } from '../../town/handlers/notepad.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function notepad(call: Call): Promise<undefined> {
  const town = await call.town();
  const { agent_id: agentId } = (await callerOf(town)).agent;
  const dropped = call.text('drop');
  if (dropped !== undefined) {
    if (!/^\d{1,9}$/.test(dropped)) throw usage(`--drop takes the number of a note, not ${JSON.stringify(dropped)}`);
    await dropNote(town.store, agentId, Number(dropped));
  } else if (call.rest.length > 0) {
    await addToNotepad(town.store, agentId, call.rest.join(' '), call.flag('priority'), town.clock());
  }
  const notes = notesOf(town.store, agentId);
  print(call, notes, () =>
    notes.length === 0
      ? ['your notepad is empty']
      : notes.map(({ id, text, priority }) => `${id}${priority ? '!' : ' '} ${text}`),
  );
}
