/** A town's own handlers (`.chipset/handlers/*.mjs`), as far as the operator trusts them: each contained, each for its own events. */

import type { EventAnswer } from '../../domain/event.ts';
import { asObject, textAt } from '../../domain/event.ts';
import type { OwnHandler } from '../../domain/handlers/in-force.ts';
import { toolKindOf } from '../../domain/handlers/tools.ts';
import { cutBytes } from '../../domain/quote.ts';
import { cleanText } from '../../domain/text.ts';
import { loadOwn } from '../../town/handlers/own.ts';
import type { EventHandler, HandlerContext } from '../handler.ts';

/** Of what one of them may inject at once. */
const contextBytes = 4_000;

/** One handler for each that is trusted: the list is the in-force record's. */
export const ownHandlers = (own: readonly OwnHandler[]): EventHandler[] =>
  own.map((handler) => ({
    name: `own ${handler.name}`,
    events: handler.looks.map(({ kind }) => kind),
    priority: handler.priority,
    enabled: ({ event }) =>
      handler.looks.some(
        ({ kind, tools }) =>
          kind === event.kind && (event.tool === null || (tools?.includes(toolKindOf(event.tool.name)) ?? true)),
      ),
    handle: async (context) => answerOf(await (await loadOwn(context.store.paths, handler))(given(context))),
  }));

/** A copy, as data: nothing of ours can be changed through it. */
const given = ({ event, agent, now, env }: HandlerContext): object =>
  structuredClone({
    event,
    agent: { agent_id: agent.agent_id, role: agent.role, runtime: agent.runtime, worktree: agent.worktree },
    cwd: event.cwd,
    now,
    home: env['HOME'] ?? null,
  });

/** Only texts of the two keys that answers have here. */
function answerOf(value: unknown): EventAnswer | null {
  const answer = asObject(value);
  if (answer === null) return null;
  const said = (key: string): string | null => {
    const text = textAt(answer, key);
    return text === null ? null : cutBytes(cleanText(text), contextBytes);
  };
  return { context: said('context'), block: said('block') };
}
