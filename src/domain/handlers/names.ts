/** The 31 names of the catalogue (seed 004), in its order and groups. */

export const handlerGroups = {
  mode: ['autopilot', 'ultrawork', 'ralph', 'ultrapilot', 'swarm', 'ultraqa', 'mode-registry', 'persistent-mode'],
  validation: ['thinking-block-validator', 'empty-message-sanitizer', 'comment-checker', 'permission-handler'],
  recovery: ['recovery', 'preemptive-compaction', 'pre-compact'],
  enhancement: ['rules-injector', 'directory-readme-injector', 'notepad', 'learner', 'agent-usage-reminder'],
  detection: ['keyword-detector', 'think-mode', 'auto-slash-command', 'non-interactive-env', 'plugin-patterns'],
  coordination: ['todo-continuation', 'omc-orchestrator', 'subagent-tracker', 'session-end', 'background-notification'],
  setup: ['setup'],
} as const;

export type HandlerGroup = keyof typeof handlerGroups;
export type HandlerName = (typeof handlerGroups)[HandlerGroup][number];

export const handlerNames: readonly HandlerName[] = Object.values(handlerGroups).flat();

export const isHandler = (word: unknown): word is HandlerName => handlerNames.some((name) => name === word);
