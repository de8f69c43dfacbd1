/** The handlers of the catalogue but the starts of modes: a small bundle of its own, for the tool that waits for it. */
import type { InForce } from '../domain/handlers/in-force.ts';
import type { EventHandler } from './handler.ts';
import { agentUsageReminderHandler } from './handlers/agent-usage-reminder.ts';
import { autoSlashCommandHandler } from './handlers/auto-slash-command.ts';
import { backgroundNotificationHandler } from './handlers/background-notification.ts';
import { commentCheckerHandler } from './handlers/comment-checker.ts';
import { directoryReadmeInjectorHandler } from './handlers/directory-readme-injector.ts';
import { emptyMessageSanitizerHandler } from './handlers/empty-message-sanitizer.ts';
import { keywordDetectorHandler } from './handlers/keyword-detector.ts';
import { learnerHandler } from './handlers/learner.ts';
import { nonInteractiveEnvHandler } from './handlers/non-interactive-env.ts';
import { notepadHandler } from './handlers/notepad.ts';
import { omcOrchestratorHandler } from './handlers/omc-orchestrator.ts';
import { ownHandlers } from './handlers/own.ts';
import { permissionHandler } from './handlers/permission-handler.ts';
import { pluginPatternsHandler } from './handlers/plugin-patterns.ts';
import { preCompactHandler } from './handlers/pre-compact.ts';
import { preemptiveCompactionHandler } from './handlers/preemptive-compaction.ts';
import { recoveryHandler } from './handlers/recovery.ts';
import { rulesInjectorHandler } from './handlers/rules-injector.ts';
import { sessionEndHandler } from './handlers/session-end.ts';
import { setupHandler } from './handlers/setup.ts';
import { subagentTrackerHandler } from './handlers/subagent-tracker.ts';
import { thinkModeHandler } from './handlers/think-mode.ts';
import { thinkingBlockValidatorHandler } from './handlers/thinking-block-validator.ts';
import { ultrapilotHandler } from './handlers/ultrapilot.ts';

const known: readonly EventHandler[] = [
  emptyMessageSanitizerHandler,
  setupHandler,
  permissionHandler,
  omcOrchestratorHandler,
  ultrapilotHandler,
  nonInteractiveEnvHandler,
  notepadHandler,
  preCompactHandler,
  keywordDetectorHandler,
  thinkingBlockValidatorHandler,
  subagentTrackerHandler,
  preemptiveCompactionHandler,
  recoveryHandler,
  commentCheckerHandler,
  rulesInjectorHandler,
  directoryReadmeInjectorHandler,
  pluginPatternsHandler,
  learnerHandler,
  agentUsageReminderHandler,
  thinkModeHandler,
  autoSlashCommandHandler,
  sessionEndHandler,
  backgroundNotificationHandler,
];

/** With the town's own, as far as they are trusted. */
export const smallHandlers = (inForce: Pick<InForce, 'own'> | null): readonly EventHandler[] =>
  inForce === null || inForce.own.length === 0 ? known : [...known, ...ownHandlers(inForce.own)];
