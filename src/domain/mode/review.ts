/**
 * The way to a verdict, for ralph and autopilot: first the gates, run by the town; then a reviewer who answers by the
 * request's id. An answer to any other request counts for nothing; rejected too often, a human has to look.
 */
import * as z from 'zod/mini';
import type { ModeEvent, ModeFacts, Step } from './mode.ts';
import type { ModeName } from './names.ts';
import { quoted, quotedLines, said } from './said.ts';

export const reviewSchema = z.object({
  stage: z.enum(['none', 'gates', 'review']),
  request_id: z.nullable(z.string()),
  /** Verdicts and failed gates that sent the work back. */
  attempts: z.number(),
  max_attempts: z.number(),
  feedback: z.nullable(z.string()),
  reviewer: z.nullable(z.string()),
});
export type Review = z.infer<typeof reviewSchema>;

export const noReview = (reviewer: string | null): Review => ({
  stage: 'none',
  request_id: null,
  attempts: 0,
  max_attempts: 3,
  feedback: null,
  reviewer,
});

/** The work says it is finished: gates where there are any, else the reviewer at once. */
export function openReview(review: Review, facts: ModeFacts, question: string): { review: Review; step: Step } {
  if (facts.gates.length > 0) {
    return { review: { ...review, stage: 'gates' }, step: { kind: 'run', commands: facts.gates } };
  }
  return askReviewer(review, facts, question);
}

const askReviewer = (review: Review, { requestId }: ModeFacts, question: string): { review: Review; step: Step } => ({
  review: { ...review, stage: 'review', request_id: requestId },
  step: { kind: 'review', requestId, question },
});

/** What comes of gates or a verdict; null where the event says nothing about this review. */
export function advanceReview(
  mode: ModeName,
  review: Review,
  event: ModeEvent,
  facts: ModeFacts,
  question: string,
): { review: Review; step: Step } | null {
  if (event.kind === 'ran' && review.stage === 'gates') {
    const failure = event.results.find(({ code }) => code !== 0);
    if (failure === undefined) return askReviewer(review, facts, question);
    return sendBack(mode, review, `${failure.name} failed`, [
      `${failure.name} failed (exit ${failure.code ?? 'none'}). The end of its output:`,
      quotedLines(failure.tail),
      'Mend it, then end your turn.',
    ]);
  }
  if (event.kind === 'verdict' && review.stage === 'review' && event.requestId === review.request_id) {
    if (event.approved) {
      return { review: { ...review, stage: 'none', request_id: null }, step: { kind: 'finish', why: 'approved' } };
    }
    return sendBack(mode, review, event.feedback, [
      `The reviewer rejected it: ${quoted(event.feedback, 2_000)}`,
      'Put that right, then end your turn.',
    ]);
  }
  return null;
}

function sendBack(mode: ModeName, review: Review, feedback: string, lines: string[]): { review: Review; step: Step } {
  const attempts = review.attempts + 1;
  const next: Review = { ...review, stage: 'none', request_id: null, attempts, feedback };
  if (attempts >= review.max_attempts) {
    return { review: next, step: { kind: 'fail', why: `rejected ${attempts} times, last: ${feedback}` } };
  }
  return { review: next, step: { kind: 'say', text: said(mode, ...lines) } };
}
