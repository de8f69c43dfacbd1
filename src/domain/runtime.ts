/**
 * What the town knows of a runtime, as data. One frozen descriptor per runtime (src/runtimes/<id>/), snapshot-tested.
 * Marks are matched against the pane's visible text and title; they only ever answer "may I type now?" (section 7).
 */

/** GUPP's ways to make an agent begin, best first (seed 001). */
export const strategies = ['hook_injection', 'startup_fallback', 'prompt_preamble', 'polling'] as const;
export type Strategy = (typeof strategies)[number];

/** What the operator allows an agent to do without asking. `default`: whatever the runtime does by itself (decision 13). */
export const permissionModes = ['default', 'plan', 'auto-edit', 'full'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** A dialog on the screen: recognised and shown, never answered blindly. */
export interface DialogMark {
  kind: string;
  /** All must match the visible text. */
  text: readonly RegExp[];
  /** Not this dialog after all where this matches: its words are only quoted on a screen that takes prompts. */
  unless?: RegExp;
  /** Where the human has to look, in one line. */
  hint: string;
}

/** A usage-limit banner; `until` is read from the named groups `time` or `seconds` where the text tells it. */
export interface LimitMark {
  text: RegExp;
}

export interface ScreenMarks {
  /** Ready for a first prompt: all of `text` match the visible text, and `title`, if given, the pane title. */
  ready: { text: readonly RegExp[]; title?: RegExp };
  /** Busy: any match. */
  busy: { text: readonly RegExp[]; title?: RegExp };
  dialogs: readonly DialogMark[];
  limits: readonly LimitMark[];
  /**
   * The line that holds the composer: the cursor's row where it matches, else the last line that does (past prompts look
   * alike). Group `draft` is what somebody typed. Placeholders and ghost text are dim.
   */
  composer: RegExp | null;
  /** Composer contents that are the runtime's own hint text, not a draft. */
  placeholders: readonly RegExp[];
}

export interface SubmitKey {
  /** tmux key name sent after the paste, by itself. */
  key: string;
  /** Milliseconds between paste and key. */
  delayMs: number;
  /** How many more times the key alone is sent when there is no proof. */
  retries: number;
  /** Milliseconds to wait for proof after each key. */
  proofMs: number;
}

export interface RuntimeDescriptor {
  id: string;
  /** For people: "Claude Code". */
  label: string;
  /** Program looked up on PATH; a configured `command` replaces it. */
  command: string;
  /** Names the process in the pane may show (its child may be `node`). */
  processNames: readonly string[];
  /** Primary strategy, and what is used when the primary never shows an effect. */
  strategy: Strategy;
  fallback: Strategy | null;
  /** Strategies that can work on this runtime, best first; another one that is asked for is refused with a warning. */
  feasible: readonly Strategy[];
  /** Arguments that come before everything the operator gives. */
  args: readonly string[];
  /** Set for the program; the operator's own values win. Null: removed from what it would inherit. */
  env: Readonly<Record<string, string | null>>;
  /** Flags by permission mode; a mode that is missing cannot be had from this runtime. */
  permissions: Partial<Record<PermissionMode, readonly string[]>>;
  /**
   * How the first prompt is handed over at start; `typed`: delivered into the pane once ready. The startup_fallback
   * strategy always types.
   */
  firstPrompt: { how: 'argument' } | { how: 'flag'; flag: string } | { how: 'typed' };
  /** How a session is resumed; `{id}` stands for the session. Null where the runtime cannot. */
  resume: { byId: readonly string[] | null; latest: readonly string[] | null } | null;
  /** Flag by which the town chooses the session id; null where the runtime chooses. */
  sessionIdFlag: string | null;
  /** How the runtime's own hook system is fed; null: it has none we use. */
  events: 'settings-flag' | 'user-file' | 'project-file' | 'plugin' | null;
  screen: ScreenMarks;
  submit: SubmitKey;
  /** Keys of the operator's own `interrupt`. */
  interruptKeys: readonly string[];
  /** Words that end the program when typed and submitted; null: only by signal. */
  exitCommand: string | null;
  /** Exit codes with a meaning of their own, as one line for people. Such an exit is not a crash. */
  exitCodes: Readonly<Record<number, string>>;
  /** Seconds after the start without a sign of life from its primary strategy before the fallback is used, once. */
  startWindowS: number;
  /** Provider thresholds in seconds, only where seed 001 gives them (decision 4). */
  thresholds: { stall_detection?: number; nudge_interval?: number; never_began?: number };
  /** Seconds within which an agent should begin (seed 001). */
  idealResponseS: number;
}

/** What a start needs to know; all text has passed hygiene. */
export interface StartRequest {
  agent_id: string;
  role: string;
  instance_id: string;
  /** Absolute paths: the agent's tree, `.chipset/state`, `.chipset/bin`. */
  cwd: string;
  stateDir: string;
  binDir: string;
  /** The program `findBinary` found; null: the descriptor's command, looked up by the shell. Of no use to `sim`. */
  program: string | null;
  /** This Node and the folder of the built programs, for runtimes that are programs of ours. */
  node: string;
  distDir: string;
  /** PATH of `up`; the pane's own starts with `binDir`. */
  path: string;
  /** The strategy in force for this start, already feasible. */
  strategy: Strategy;
  permissions: PermissionMode;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** A new session id chosen by the town, or null. */
  session_id: string | null;
  /** The session to resume, `latest`, or null for a fresh one. */
  resume: string | null;
  /** `startText` of src/domain/prime.ts: a one-liner or the preamble when there is work; null starts an idle agent. */
  firstPrompt: string | null;
}

/** A file of ours that a start needs; written whole, 0600, before the program runs. */
export interface PlannedFile {
  /** Absolute. */
  path: string;
  text: string;
}

/** The program of a pane: argv and environment; the runner adds the rest. Variables set to null are removed. */
export interface LaunchPlan {
  argv: readonly string[];
  env: Readonly<Record<string, string | null>>;
  files: readonly PlannedFile[];
  /** What still has to be typed once the runtime is ready: the prime command or the first prompt. */
  typed: string | null;
}
