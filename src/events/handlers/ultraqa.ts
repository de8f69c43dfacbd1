/** `ultraqa …` at the head of a prompt, with the configured test command as the goal. */
import { startByPrompt } from './start-by-prompt.ts';

export const ultraqaHandler = startByPrompt('ultraqa', 30);
