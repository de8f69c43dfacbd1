/** `ralph …` or "don’t stop until …" at the head of a prompt; its continuations are persistent-mode’s. */
import { startByPrompt } from './start-by-prompt.ts';

export const ralphHandler = startByPrompt('ralph', 30);
