/** `gastown.yaml`, section by section (DESIGN section 6). Only `agents` is required; unknown keys are errors. */
import * as z from 'zod/mini';
import { handlersConfigSchema } from './handlers/options.ts';
import { modesConfigSchema } from './mode/config.ts';
import { type Role, roles } from './role.ts';
import { permissionModes, strategies } from './runtime.ts';

export { type Role, roles } from './role.ts';

const environment = z.record(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/)), z.string());
const name = z.string();

/** One entry: either one agent by `id`, or `count` agents named `<name>-alpha`, `<name>-bravo`, … */
export const agentEntrySchema = z.strictObject({
  id: z.optional(name),
  name: z.optional(name),
  role: z.optional(z.enum(roles)),
  runtime: z.string(),
  count: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  permissions: z.optional(z.enum(permissionModes)),
  args: z.optional(z.array(z.string())),
  env: z.optional(environment),
});
export type AgentEntry = z.infer<typeof agentEntrySchema>;

/** Seconds. Ranges are repaired with a warning, not refused (decision 4). */
const thresholds = {
  stall_detection: z.optional(z.number()),
  nudge_interval: z.optional(z.number()),
  restart_threshold: z.optional(z.number()),
};

export const configSchema = z.strictObject({
  agents: z.array(agentEntrySchema).check(z.minLength(1)),
  layout: z.optional(z.string()),
  worktrees: z.optional(z.boolean()),
  gupp: z.optional(
    z.strictObject({
      thresholds: z.optional(z.strictObject(thresholds)),
      limits: z.optional(
        z.strictObject({ max_restarts_per_bead: z.optional(z.number()), restart_cooldown: z.optional(z.number()) }),
      ),
      runtimes: z.optional(
        z.record(z.string(), z.strictObject({ ...thresholds, strategy: z.optional(z.enum(strategies)) })),
      ),
    }),
  ),
  runtimes: z.optional(
    z.record(
      z.string(),
      z.strictObject({
        command: z.optional(z.string()),
        args: z.optional(z.array(z.string())),
        env: z.optional(environment),
        strategy: z.optional(z.enum(strategies)),
      }),
    ),
  ),
  gate: z.optional(z.strictObject({ human_ack: z.optional(z.enum(['optional', 'required'])) })),
  tmux: z.optional(
    z.strictObject({ socket: z.optional(z.enum(['private', 'default'])), source_user_conf: z.optional(z.boolean()) }),
  ),
  notify: z.optional(z.strictObject({ desktop: z.optional(z.boolean()), webhook: z.optional(z.nullable(z.url())) })),
  handlers: z.optional(handlersConfigSchema),
  modes: z.optional(modesConfigSchema),
  /** Commands whose success clears a completed hook; without any, the operator verifies. */
  verify: z.optional(z.array(z.string())),
});
export type Config = z.infer<typeof configSchema>;

/** One agent after names are given out and defaults filled in: what the town runs. */
export interface AgentConfig {
  agent_id: string;
  role: Role;
  runtime: string;
  permissions: (typeof permissionModes)[number];
  args: string[];
  env: Record<string, string>;
}
