export interface DeliveryOptions {
  /** Folder for the locks of panes; made where it is missing. */
  lockDir: string;
  /** True once the runtime itself told of the prompt, since this delivery began. */
  proof?: () => Promise<boolean>;
  /** Factor for all pauses, for tests alone; none gets shorter than a program needs. */
  scale?: number;
  /** How long to wait for another delivery to the same pane, in milliseconds. */
  lockMs?: number;
}

/** Milliseconds, shortened for tests but never below what a real program needs. */
export const pauseMs = (ms: number, scale = 1, least = 0): number => Math.max(Math.min(ms, least), ms * scale);
