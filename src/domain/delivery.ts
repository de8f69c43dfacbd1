/** The four answers of a delivery (DESIGN section 8). Success is never said without proof. */
import type { ScreenMarks, SubmitKey } from './runtime.ts';

export type Receipt =
  | { kind: 'verified'; proof: 'event' | 'composer' }
  | { kind: 'unverified'; why: string }
  | { kind: 'queued'; why: string }
  | { kind: 'failed'; why: string };

export type ReceiptKind = Receipt['kind'];

/** What the delivery function must know of the pane's runtime. */
export interface DeliveryProfile {
  screen: ScreenMarks;
  submit: SubmitKey;
}

/** Largest text that is delivered, in bytes; more is refused naming this limit (field report 05). */
export const deliveryLimitBytes = 1_048_576;

export const receiptText = (receipt: Receipt): string =>
  receipt.kind === 'verified' ? `verified (${receipt.proof})` : `${receipt.kind}: ${receipt.why}`;
