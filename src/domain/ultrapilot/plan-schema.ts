/**
 * The plan of an ultrapilot: workers, and which files each may write. Sets are exclusive, so that what they make can be
 * joined; whatever is in no set is the coordinator's (seed 004).
 */
import * as z from 'zod/mini';

const workerSchema = z.strictObject({
  agent: z.string(),
  task: z.string(),
  files: z.array(z.string()).check(z.minLength(1)),
});
export const planSchema = z.strictObject({
  goal: z.string(),
  /** Decides about every file that is in no set. */
  coordinator: z.string(),
  workers: z.array(workerSchema).check(z.minLength(1), z.maxLength(100)),
});
export type Plan = z.infer<typeof planSchema>;
