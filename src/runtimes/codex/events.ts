/** Codex's events have Claude's shape (recorded from 0.171.0); its answers are fewer. */
import type { EventAnswer, EventFormat, RuntimeEvent } from '../../domain/event.ts';
import { formatClaude, parseClaude } from '../claude/events.ts';
import { answerLine } from '../event-answer.ts';

export const codexEvents: EventFormat = { parse: parseClaude, format: formatCodex };

function formatCodex(event: RuntimeEvent, answer: EventAnswer): string {
  const reason = answer.block ?? null;
  if (reason !== null && event.name === 'Stop') return answerLine({ decision: 'block', reason });
  return formatClaude(event, answer);
}
