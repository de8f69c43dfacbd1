import type { RefusalReason } from '../../domain/handoff-refusal.ts';

/** Thrown inside the gate, turned into an outcome at its edge; never shown as an error of its own. */
export class GateRefusal extends Error {
  override readonly name = 'GateRefusal';
  readonly reason: RefusalReason;
  /** Name of the system error where archiving failed. */
  readonly errno: string | undefined;

  constructor(reason: RefusalReason, errno?: string) {
    super(reason);
    this.reason = reason;
    this.errno = errno;
  }
}

export const errnoOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | null)?.code;
