/**
 * One error type for everything a person or another program is told, with one exit-code table (DESIGN section 6).
 * Anything else that is thrown is a bug and shows as one.
 */
export type ExitCode = 1 | 3 | 4 | 5;

export class GastownError extends Error {
  override readonly name = 'GastownError';
  readonly exit: ExitCode;
  /** What to do next; one short imperative phrase, or empty. */
  readonly next: string;

  constructor(exit: ExitCode, message: string, next = '', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exit = exit;
    this.next = next;
  }

  /** The one line on stderr: what failed and why; what to do next. */
  get line(): string {
    return this.next === '' ? this.message : `${this.message}; ${this.next}`;
  }
}

/** Exit 1: the words of a command or of the configuration are wrong. */
export const usage = (message: string, next = ''): GastownError => new GastownError(1, message, next);

/** Exit 3: not confirmed, refused, or not running. */
export const refused = (message: string, next = '', cause?: unknown): GastownError =>
  new GastownError(3, message, next, cause);

/** Exit 4: state that cannot be read is never taken for "nothing there". */
export const unreadable = (message: string, next = '', cause?: unknown): GastownError =>
  new GastownError(4, message, next, cause);

/** Exit 5: somebody else changed it, or the change is not allowed from here. Nothing was written. */
export const conflict = (message: string, next = ''): GastownError => new GastownError(5, message, next);

export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
