/** `autopilot …` or "build me …" at the head of a prompt; its continuations are persistent-mode’s. */
import { startByPrompt } from './start-by-prompt.ts';

export const autopilotHandler = startByPrompt('autopilot', 30);
