/** The one interface behind which every runtime stands. Plans are pure; what they need of the machine is in the request. */
import type { LaunchPlan, PlannedFile, RuntimeDescriptor, StartRequest } from '../domain/runtime.ts';

export interface Runtime {
  /** Deeply frozen. */
  readonly descriptor: RuntimeDescriptor;
  /** Argv, environment, files and typed text of one start (DESIGN sections 6 and 8). Throws a refused error (exit 3)
   * when the permission mode cannot be had from this runtime. */
  plan(request: StartRequest): LaunchPlan;
  /**
   * Whether the runtime still has the conversation of `sessionId`, so that a resume will find it. An agent that never got
   * a prompt has none. `unknown` where the runtime keeps it in a place we cannot look into.
   */
  findSession(sessionId: string, env: Readonly<Record<string, string | undefined>>): Promise<'yes' | 'no' | 'unknown'>;
  /**
   * The newest conversation the runtime had in `cwd` (absolute, real) since `sinceMs`, where the runtime chooses its
   * session ids itself and tells them to nobody; null where there is none, or none can be told.
   */
  latestSession(
    cwd: string,
    sinceMs: number,
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<string | null>;
  /** The usage limit over which its last turn ended, from its own log; absent where events or nobody tells. `now` in ms. */
  loggedLimit?: (
    sessionId: string,
    env: Readonly<Record<string, string | undefined>>,
    now: number,
  ) => Promise<LoggedLimit | null>;
  /** The runtime's own event settings, for `gastown events install`; null where none need installing. */
  eventSettings: ((place: EventPlace) => PlannedFile) | null;
}

/** `at`: when the turn ended; `until` null: it does not say. Both ms. */
export interface LoggedLimit {
  at: number;
  until: number | null;
  line: string;
}

/** Where event settings may go, absolute: the user's home and a tree; and the `gt-event` program they shall call. */
interface EventPlace {
  home: string;
  tree: string;
  gtEvent: string;
}

/** A frozen copy, at every depth. Regular expressions stay as they are: freezing would break their `lastIndex`. */
export function deepFreeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || value instanceof RegExp) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
