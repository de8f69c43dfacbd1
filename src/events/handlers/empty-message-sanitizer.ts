/** A prompt of nothing but blanks and invisible characters is refused: it would cost a turn and say nothing. */
import type { EventHandler } from '../handler.ts';

/** Spaces of every kind, and what is drawn as nothing: joiners, marks of direction, fillers. */
const unseen = /^[\s\p{Cc}\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u;

export const emptyMessageSanitizerHandler: EventHandler = {
  name: 'empty-message-sanitizer',
  events: ['prompt'],
  priority: 1,
  enabled: ({ event }) => event.subagent === null && event.prompt !== null && unseen.test(event.prompt),
  // Where a payload has no prompt at all nobody wrote an empty one: an image may be all of it.
  handle: ({ event }) =>
    event.payload['prompt'] === undefined ? null : { block: '[gastown] The prompt is empty: nothing was sent.' },
};
