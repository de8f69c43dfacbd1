/** Offers a skill to a prompt that asks for it, by name and path; a pattern noticed at a stop is proposed to the human, never written by itself. */
import type { EventAnswer } from '../../domain/event.ts';
import { learnedFrom } from '../../domain/handlers/learned.ts';
import { quoteLine } from '../../domain/quote.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { takeOnce } from '../../town/handlers/budget.ts';
import { matchingSkills, noteUse, propose } from '../../town/handlers/skills.ts';
import { wasTyped } from '../../town/typed.ts';
import { type EventHandler, type HandlerContext, optionOf } from '../handler.ts';

const lock = { waitMs: eventLockWaitMs };

export const learnerHandler: EventHandler = {
  name: 'learner',
  events: ['prompt', 'stop'],
  priority: 65,
  enabled: ({ event }) => event.subagent === null && event.session_id !== null,
  handle: (context) => (context.event.kind === 'prompt' ? offer(context) : notice(context)),
};

async function offer(context: HandlerContext): Promise<EventAnswer | null> {
  const { event, store, now } = context;
  const skills = matchingSkills(store, event.prompt ?? '', optionOf(context, 'learner', 'days', 60), now);
  if (skills.length === 0) return null;
  const offers = skills.map(({ name, description, path }) => ({
    key: `skill ${name}`,
    text: `- ${name}: ${quoteLine(description)}, in ${path}`,
  }));
  const given = await takeOnce(
    store,
    { sessionId: event.session_id ?? '', handler: 'learner', limitBytes: 8_000 },
    offers,
  );
  if (given.length === 0) return null;
  await noteUse(
    store,
    skills.map(({ name }) => name),
    now,
    lock,
  );
  return { context: ['[gastown] Learned here before; read what fits:', ...given].join('\n') };
}

async function notice({ event, store, agent, now }: HandlerContext): Promise<null> {
  const learned = learnedFrom(event.text ?? '');
  if (learned === null || wasTyped(store.paths, agent.agent_id, learned, now)) return null;
  await propose(store, { agentId: agent.agent_id, text: learned, now }, lock);
  return null;
}
