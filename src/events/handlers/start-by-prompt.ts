/** Starting a mode by the leading word of a prompt: the part that all such handlers share. */

import { GastownError } from '../../domain/errors.ts';
import type { EventAnswer } from '../../domain/event.ts';
import type { ModeName } from '../../domain/mode/names.ts';
import { said } from '../../domain/mode/said.ts';
import { type Trigger, triggerIn } from '../../domain/mode/trigger.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import type { ModeStart, ModeStarted } from '../../town/modes/start.ts';
import { wasTyped } from '../../town/typed.ts';
import { type EventHandler, type HandlerContext, isOn } from '../handler.ts';

/** Roles whose panes are driven by the town: there a prompt starts nothing. */
const workers: readonly string[] = ['polecat', 'witness', 'refinery'];

/** What a human said to this session, if it is a word for modes: never a text of ours, never a subagent's. */
export function triggerOf({ event, store, agent, now }: HandlerContext): Trigger | null {
  if (event.kind !== 'prompt' || event.subagent !== null || event.prompt === null) return null;
  const trigger = triggerIn(event.prompt);
  return trigger === null || wasTyped(store.paths, agent.agent_id, event.prompt, now) ? null : trigger;
}

/** The handler named after a mode: its word at the head of a prompt starts it and gives the turn its first words. */
export const startByPrompt = (mode: ModeName, priority: number, begin: Begin = beginAlone): EventHandler => ({
  name: mode,
  events: ['prompt'],
  priority,
  enabled: (context) => {
    const trigger = triggerOf(context);
    if (trigger?.kind !== 'start' || trigger.mode !== mode) return false;
    return !workers.includes(context.agent.role) && isOn(context, 'keyword-detector');
  },
  handle: async (context): Promise<EventAnswer | null> => {
    const trigger = triggerOf(context);
    if (trigger?.kind !== 'start') return null;
    const { store, agent } = context;
    // Loaded where a prompt does start something: every other one pays for none of it.
    const { modesConfig } = await import('../../town/modes/look.ts');
    if (modesConfig(store).prompts === false) return null;
    try {
      const { say } = await begin(context, {
        mode,
        agentId: agent.agent_id,
        goal: trigger.goal,
        by: agent.agent_id,
        options: {
          ...(trigger.workers === null ? {} : { workers: trigger.workers }),
          ...(trigger.stages.length === 0 ? {} : { stages: trigger.stages }),
        },
        way: 'answer',
      });
      return { context: say ?? said(mode, 'has begun.') };
    } catch (error) {
      // The human hears why, through the agent; the prompt goes through as it is.
      if (error instanceof GastownError) return { context: said(mode, `did not start: ${error.line}`) };
      throw error;
    }
  },
});

type Begin = (context: HandlerContext, start: ModeStart) => Promise<ModeStarted>;

export const lock = { waitMs: eventLockWaitMs };

const beginAlone: Begin = async ({ store, now }, start) => {
  const { startMode } = await import('../../town/modes/start.ts');
  return startMode(store, start, now, lock);
};
