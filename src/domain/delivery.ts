/** The four answers of a delivery (DESIGN section 8). Success is never said without proof. */
import { usage } from './errors.ts';
import type { ScreenMarks, SubmitKey } from './runtime.ts';
import { cleanText } from './text.ts';

export type Receipt =
  | { kind: 'verified'; proof: 'event' | 'composer' }
  | { kind: 'unverified'; why: string }
  | { kind: 'queued'; why: string }
  | { kind: 'failed'; why: string };

/** What the delivery function must know of the pane's runtime. */
export interface DeliveryProfile {
  screen: ScreenMarks;
  submit: SubmitKey;
}

/** Largest text that is delivered, in bytes; more is refused naming this limit (field report 05). */
export const deliveryLimitBytes = 1_048_576;

export const receiptText = (receipt: Receipt): string =>
  receipt.kind === 'verified' ? `verified (${receipt.proof})` : `${receipt.kind}: ${receipt.why}`;

/**
 * The text as it is typed: controls removed, line breaks at its end stripped, for the submit key follows by itself
 * (field report 04). Throws a usage error (exit 1) for a text that is empty then, or larger than the limit.
 */
export function deliveryText(text: string): string {
  const clean = cleanText(text).replace(/\n+$/, '');
  if (clean.trim() === '') throw usage('there is no text to deliver');
  const bytes = new TextEncoder().encode(clean).length;
  if (bytes <= deliveryLimitBytes) return clean;
  throw usage(`the text has ${bytes} bytes, more than the limit of ${deliveryLimitBytes}`, 'hand over a file instead');
}
