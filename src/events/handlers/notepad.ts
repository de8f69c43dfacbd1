/** Gives a session its agent's own notes: those of priority at every beginning, working memory where the context was lost. */
import { notepadText, notesOf } from '../../town/handlers/notepad.ts';
import type { EventHandler } from '../handler.ts';

const lost: readonly (string | null)[] = ['clear', 'compact'];

export const notepadHandler: EventHandler = {
  name: 'notepad',
  events: ['session_start'],
  priority: 22,
  enabled: ({ event }) => event.subagent === null,
  handle: ({ event, store, agent }) => ({
    context: notepadText(notesOf(store, agent.agent_id), lost.includes(event.source)),
  }),
};
