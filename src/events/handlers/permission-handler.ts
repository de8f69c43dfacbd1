/**
 * Requests for permission: the lists of `gastown.yaml` answer at once; else the request waits a few seconds in the control
 * pane, and only while somebody looks. Without an answer the runtime asks in its own pane, as it always did.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventAnswer } from '../../domain/event.ts';
import { isAllowedBy, isDeniedBy } from '../../domain/handlers/commands.ts';
import { aboutCall, commandOf } from '../../domain/handlers/tools.ts';
import { toIso } from '../../domain/time.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { answerTo, closeRequest, openRequest } from '../../town/handlers/permission-queue.ts';
import { type EventHandler, type HandlerContext, optionOf } from '../handler.ts';

const name = 'permission-handler';
const lock = { waitMs: eventLockWaitMs };
const lookMs = 50;
/** A human who touched no key of the town for so long is not looking. */
const awayMs = 300_000;

export const permissionHandler: EventHandler = {
  name,
  events: ['permission'],
  priority: 10,
  budgetMs: 9_300,
  // A notice of a prompt that is on the screen already cannot be answered, and a question is for the human alone.
  enabled: ({ event }) => event.name === 'PermissionRequest' && event.tool !== null && !isForHuman(event.tool),
  handle: async (context) => byLists(context) ?? (await byHuman(context)),
};

const isForHuman = (tool: { name: string; question: string | null }): boolean =>
  tool.question !== null || tool.name === 'ExitPlanMode';

function byLists(context: HandlerContext): EventAnswer | null {
  const { tool } = context.event;
  if (tool === null) return null;
  const command = commandOf(tool);
  const matches = (rules: readonly string[], test: (rule: string, line: string) => boolean): string | undefined =>
    rules.find((rule) => rule === tool.name || (command !== null && test(rule, command)));
  const denied = matches(optionOf<readonly string[]>(context, name, 'deny', []), isDeniedBy);
  if (denied !== undefined) return decided(context, 'deny', `"${denied}" is on the deny list of gastown.yaml`);
  const allowed = matches(optionOf<readonly string[]>(context, name, 'allow', []), isAllowedBy);
  return allowed === undefined ? null : decided(context, 'allow', `"${allowed}" is on the allow list of gastown.yaml`);
}

async function byHuman(context: HandlerContext): Promise<EventAnswer | null> {
  const { event, agent, store, now } = context;
  const waitMs = optionOf(context, name, 'wait', 4) * 1_000;
  if (waitMs === 0 || event.tool === null) return null;
  const { someoneLooks } = await import('../../town/handlers/looking.ts');
  if (!(await someoneLooks(store, now, awayMs))) return null;
  const id = `pr-${randomBytes(5).toString('hex')}`;
  const began = performance.now();
  const request = {
    request_id: id,
    agent_id: agent.agent_id,
    session_id: event.session_id ?? '',
    tool: event.tool.name,
    what: aboutCall(event.tool).slice(0, 500),
    at: toIso(now),
    until: toIso(now + waitMs),
    answer: null,
  };
  await openRequest(store, request, lock);
  while (performance.now() - began < waitMs && answerTo(store, id) === null) await sleep(lookMs);
  const answer = await closeRequest(store, id, lock);
  return answer === null ? null : decided(context, answer.behavior, `${answer.by} in the control pane`);
}

/** On record: who let it through, or kept it, and why. */
function decided({ event, agent, store, now }: HandlerContext, behavior: 'allow' | 'deny', why: string): EventAnswer {
  const { agent_id } = agent;
  const what = event.tool === null ? '' : `${event.tool.name}: ${aboutCall(event.tool)}`.slice(0, 300);
  const message = `${behavior === 'allow' ? 'allowed' : 'denied'} ${agent_id} ${what} (${why})`;
  store.journal.append({ at: toIso(now), kind: `permission.${behavior}`, by: agent_id, agent_id, message });
  return { permission: { behavior, message: `[gastown] ${behavior === 'deny' ? 'denied' : 'allowed'}: ${why}` } };
}
