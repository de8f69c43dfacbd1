/**
 * One event of a runtime's own hook system in one internal shape. Each runtime's folder turns its payload into it
 * (`src/runtimes/<id>/events.ts`); nothing below reads a payload by the runtime's own key names.
 */
import { isId } from './ids.ts';
import { storedText } from './prose.ts';

export const eventKinds = [
  'session_start',
  'prompt',
  'tool_start',
  'tool_end',
  /** All tools of one answer ended; `ended` names them. */
  'batch_end',
  'permission',
  /** The runtime waits at its prompt and says so. */
  'waiting',
  'subagent_start',
  'subagent_end',
  'stop',
  /** A turn ended by an error of the model's service. */
  'turn_failed',
  'interrupt',
  'compact_start',
  'compact_end',
  'session_end',
  /** Anything else: a sign of life and nothing more. */
  'other',
] as const;
export type EventKind = (typeof eventKinds)[number];

export interface ToolCall {
  /** The runtime's id of this call; `tool:<name>` where it gives none. */
  id: string;
  name: string;
  /** The text of the question when this is the runtime's question tool, else null. */
  question: string | null;
  input: unknown;
  /** Null until the call ended. */
  response: unknown;
}

export interface RuntimeEvent {
  kind: EventKind;
  /** The runtime's own name of the event. */
  name: string;
  /** Null when the payload has no well-formed session id: such an event belongs to nobody. */
  session_id: string | null;
  /** The in-process subagent that caused it (seed 003); null: the session itself. */
  subagent: string | null;
  /** How the session began (`startup`, `resume`, `clear`, `compact`) or ended; null where nothing tells. */
  source: string | null;
  cwd: string | null;
  transcript: string | null;
  prompt: string | null;
  tool: ToolCall | null;
  /** `batch_end`: ids of the calls that ended. */
  ended: readonly string[];
  /** `stop`: this stop follows one that was answered with a block. */
  stopBlocked: boolean;
  /** `stop`: ids of subagents still running; null where the runtime does not tell. */
  running: readonly string[] | null;
  /** The last words of the agent, an error's text, or a notice's. */
  text: string | null;
  /** The whole payload, for handlers that need more. It is data (decision 12). */
  payload: Readonly<Record<string, unknown>>;
}

/** What is answered to an event, before it takes the runtime's own form. Null and absent say nothing. */
export interface EventAnswer {
  /** Text for the agent's context. */
  context?: string | null;
  /** A stop or a prompt that must not go through, a tool that must not run: the reason, said to the agent. */
  block?: string | null;
  /** `permission`: decided without the human at the pane. */
  permission?: { behavior: 'allow' | 'deny'; message: string } | null;
  /** A stop after which the town goes on with the session by itself: nobody has to declare why it stops. */
  taken?: boolean;
}

/** A runtime's form: payload in, answer out. Pure. `format` answers the exact bytes for stdout, empty for nothing. */
export interface EventFormat {
  parse(name: string, payload: Readonly<Record<string, unknown>>): RuntimeEvent;
  format(event: RuntimeEvent, answer: EventAnswer): string;
}

/** Most characters of text injected at once: hosts cut or refuse more (field report 33). */
export const contextLimit = 10_000;

const plain: RuntimeEvent = {
  kind: 'other',
  name: '',
  session_id: null,
  subagent: null,
  source: null,
  cwd: null,
  transcript: null,
  prompt: null,
  tool: null,
  ended: [],
  stopBlocked: false,
  running: null,
  text: null,
  payload: {},
};

/** An event with everything unsaid at its resting value. */
export const eventOf = (fields: Partial<RuntimeEvent>): RuntimeEvent => ({ ...plain, ...fields });

/** Reads of an untrusted payload: a key of the wrong type is a key that is not there. */
export const textAt = (from: Readonly<Record<string, unknown>>, key: string): string | null => {
  const value = from[key];
  return typeof value === 'string' && value !== '' ? value : null;
};

export const listAt = (from: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>>[] => {
  const value = from[key];
  return Array.isArray(value) ? value.map(asObject).filter((item) => item !== null) : [];
};

export const sessionIdOf = (value: unknown): string | null => (isId('session', value) ? value : null);

export function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  return value as Readonly<Record<string, unknown>>;
}

/**
 * The text of a question tool's input, as all four runtimes shape it: `questions[].question`, or `question`. Several
 * questions are joined and numbered; an input without text answers the empty string.
 */
export function questionText(input: unknown): string {
  const from = asObject(input) ?? {};
  const several = listAt(from, 'questions').map((item) => textAt(item, 'question') ?? textAt(item, 'header') ?? '');
  const texts = (several.length > 0 ? several : [textAt(from, 'question') ?? '']).map(storedText);
  if (texts.length === 1) return texts[0] ?? '';
  return storedText(texts.map((text, index) => `(${index + 1}/${texts.length}) ${text}`).join('\n'));
}
