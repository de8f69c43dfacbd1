/** `pipeline: one | two | three` at the head of a prompt; its continuations are persistent-mode’s. */
import { startByPrompt } from './start-by-prompt.ts';

export const pipelineHandler = startByPrompt('pipeline', 30);
