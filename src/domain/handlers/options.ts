/** `handlers` in `gastown.yaml`: each of the catalogue by its name, on or off, for which roles, and what it can be told. */
import * as z from 'zod/mini';
import { roles } from '../role.ts';

const common = { enabled: z.optional(z.boolean()), roles: z.optional(z.array(z.enum(roles))) };
const handler = <T extends z.core.$ZodShape>(own: T) =>
  z.optional(z.union([z.boolean(), z.strictObject({ ...common, ...own })]));
const plain = handler({});
const whole = (least: number, most: number) => z.optional(z.int().check(z.minimum(least), z.maximum(most)));
const words = z.optional(z.array(z.string().check(z.minLength(1))));

export const handlersConfigSchema = z.strictObject({
  autopilot: plain,
  ultrawork: plain,
  ralph: plain,
  ultrapilot: plain,
  swarm: plain,
  ultraqa: plain,
  'mode-registry': plain,
  'persistent-mode': plain,
  'thinking-block-validator': plain,
  'empty-message-sanitizer': plain,
  'comment-checker': plain,
  /** Commands by their first words (`git status`), tools by name (`WebFetch`); seconds a request waits for the control pane. */
  'permission-handler': handler({ allow: words, deny: words, wait: whole(0, 8) }),
  /** Failures in a row of the same kind after which it says: change your approach. */
  recovery: handler({ repeats: whole(2, 50) }),
  /** Percent of the context window; tokens of the window where the runtime does not tell. */
  'preemptive-compaction': handler({ percent: whole(10, 99), window: whole(1_000, 100_000_000) }),
  'pre-compact': handler({ bytes: whole(500, 9_000) }),
  /** Bytes of rules for one session; globs of rule files besides those that are known. */
  'rules-injector': handler({ bytes: whole(500, 200_000), sources: words }),
  'directory-readme-injector': handler({ bytes: whole(500, 200_000) }),
  /** Days after which a note of working memory is forgotten. */
  notepad: handler({ days: whole(1, 3_650) }),
  /** Days without use after which a skill is not offered any more. */
  learner: handler({ days: whole(1, 3_650) }),
  'agent-usage-reminder': handler({ after: whole(2, 1_000) }),
  'keyword-detector': plain,
  'think-mode': plain,
  'auto-slash-command': plain,
  /** `deny`: a command whose program is an editor or a pager is not run. */
  'non-interactive-env': handler({ deny: z.optional(z.boolean()) }),
  /** `commit`: messages of `git commit` must be conventional. `format`: the formatter of the file's kind is named once. */
  'plugin-patterns': handler({ commit: z.optional(z.boolean()), format: z.optional(z.boolean()) }),
  'todo-continuation': plain,
  /** `warn`: writes against the policy go through and are on record. `allow`: globs below the tree, for all roles. */
  'omc-orchestrator': handler({ enforce: z.optional(z.enum(['warn', 'strict'])), allow: words }),
  'subagent-tracker': plain,
  'session-end': plain,
  /** Seconds between two notices of one agent, and without a key after which nobody is looking. */
  'background-notification': handler({
    osc: z.optional(z.boolean()),
    sound: z.optional(z.boolean()),
    cooldown: whole(0, 86_400),
    away: whole(1, 86_400),
  }),
  setup: plain,
});
export type HandlersConfig = z.infer<typeof handlersConfigSchema>;
