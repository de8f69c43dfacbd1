/** The operator's nudge: an immediate, latest-wins signal (seed 001). */
import type { Receipt } from '../domain/delivery.ts';
import { usage } from '../domain/errors.ts';
import { cleanText } from '../domain/text.ts';
import { agentOf, type Town } from './context.ts';
import { tell } from './tell.ts';

/** `text` null: the town's own words, which ask for a sign of life and name the work on the hook. */
export function nudge(town: Town, agentId: string, text: string | null): Promise<Receipt> {
  agentOf(town, agentId);
  const hook = town.store.hooks.read(agentId);
  const bead = hook.kind === 'ok' ? (hook.value.work_item?.bead_id ?? null) : null;
  if (text !== null && cleanText(text).trim() === '') throw usage('a nudge needs words', 'gastown nudge <agent> "…"');
  return tell(town, agentId, {
    from: 'operator',
    type: 'health_check',
    text: text ?? defaultText(bead),
    requires_response: text === null,
    bead_id: bead,
  });
}

const defaultText = (bead: string | null): string =>
  bead === null
    ? 'The operator asks: are you there? Answer in one line.'
    : `The operator asks: bead ${bead} is on your hook. Go on with it, or say in one line what keeps you.`;
