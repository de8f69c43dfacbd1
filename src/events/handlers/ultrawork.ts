/** `ultrawork …` or `ulw …` at the head of a prompt: the deacon gives out ready beads from then on. */
import { startByPrompt } from './start-by-prompt.ts';

export const ultraworkHandler = startByPrompt('ultrawork', 30);
