/** `modes` in `gastown.yaml`. */
import * as z from 'zod/mini';

/** The commands the town runs itself as gates of the modes, who reviews, and how many agents one may use. */
export const modesConfigSchema = z.strictObject({
  build: z.optional(z.string()),
  lint: z.optional(z.string()),
  test: z.optional(z.string()),
  /** An agent; without one a human reviews. */
  reviewer: z.optional(z.string()),
  workers: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  /** Seconds a claimed task of a swarm is kept for its holder without a sign of life; 300 unless given. */
  lease: z.optional(z.int().check(z.minimum(1), z.maximum(86_400))),
  /** Seconds one command may take. */
  timeout: z.optional(z.int().check(z.minimum(1), z.maximum(86_400))),
  /** False: a prompt that begins with a mode's name starts none. */
  prompts: z.optional(z.boolean()),
});
export type ModesConfig = z.infer<typeof modesConfigSchema>;
