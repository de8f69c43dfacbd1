/** "ultrathink" or "think hard" at the head or the end of a prompt becomes a hint to plan first. The model of a session is not ours to change. */
import type { EventHandler } from '../handler.ts';

const word = '(ultrathink|mega ?think|think (very |really )?(hard|harder|deeply|carefully)|think step by step)';
const asked = new RegExp(`^\\W*${word}\\b|\\b${word}\\W*$`, 'i');

/** Understood by the runtime itself. */
const native = /\bultrathink\b/i;

export const thinkModeHandler: EventHandler = {
  name: 'think-mode',
  events: ['prompt'],
  priority: 67,
  enabled: ({ event, agent }) =>
    event.subagent === null &&
    asked.test((event.prompt ?? '').trim()) &&
    !(agent.runtime === 'claude' && native.test(event.prompt ?? '')),
  handle: () => ({
    context:
      '[gastown] Think before you act: write down what is asked and what is not known, look at what is there, weigh two ways, then take the smaller step first.',
  }),
};
