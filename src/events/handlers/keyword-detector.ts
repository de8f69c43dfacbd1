/**
 * Words for modes in a human's prompt. One that leads starts its mode (the handler of that name does it, and only while
 * this one is on); one that does not lead starts nothing and is suggested in the control pane, once a session.
 */
import { mentionedMode } from '../../domain/mode/mentioned.ts';
import { toIso } from '../../domain/time.ts';
import { takeOnce } from '../../town/handlers/budget.ts';
import { wasTyped } from '../../town/typed.ts';
import type { EventHandler, HandlerContext } from '../handler.ts';

export const keywordDetectorHandler: EventHandler = {
  name: 'keyword-detector',
  events: ['prompt'],
  priority: 28,
  enabled: (context) => mention(context) !== null,
  handle: async (context) => {
    const { event, store, agent, now } = context;
    const mode = mention(context);
    const offer = { key: `mode ${mode}`, text: String(mode) };
    const of = { sessionId: event.session_id ?? '', handler: 'keyword-detector', limitBytes: 1_000 };
    if ((await takeOnce(store, of, [offer])).length === 0) return null;
    const { agent_id } = agent;
    const message = `a prompt to ${agent_id} speaks of ${mode}: it starts by its word at the head of a prompt, or by gastown mode start ${mode} ${agent_id}`;
    store.journal.append({ at: toIso(now), kind: 'keyword.suggested', by: agent_id, agent_id, message });
    return null;
  },
};

/** The mode a human speaks of without starting it; null for words of ours. */
function mention({ event, store, agent, now }: HandlerContext): string | null {
  const prompt = event.subagent === null ? (event.prompt ?? '') : '';
  const mode = mentionedMode(prompt);
  return mode === null || wasTyped(store.paths, agent.agent_id, prompt, now) ? null : mode;
}
