/** What all launch plans share: the pane's environment, the permission flags and the way the first prompt goes. */
import { refused } from '../domain/errors.ts';
import type { LaunchPlan, PlannedFile, RuntimeDescriptor, StartRequest } from '../domain/runtime.ts';

/** Left behind by an agent whose shell started this town; a program that finds them believes it is nested. */
const inherited = [
  'AI_AGENT',
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_NOTES_DIR',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_SESSION_ATTENDED',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_EFFORT',
  'CLAUDE_ENV_FILE',
  'CLAUDE_PID',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_SESSION_ID',
  'CODEX_MANAGED_BY_NPM',
  'CODEX_MANAGED_PACKAGE_ROOT',
  'CODEX_SESSION_ID',
  'CODEX_THREAD_ID',
  'COLUMNS',
  'GEMINI_CLI',
  'GEMINI_SESSION_ID',
  'LINES',
  'OPENCODE',
] as const;

/** Environment of a pane's program: what the program knows itself by, and the operator's own values (which win). */
function paneEnv(descriptor: RuntimeDescriptor, request: StartRequest): Record<string, string | null> {
  return {
    ...Object.fromEntries(inherited.map((name) => [name, null])),
    ...descriptor.env,
    ...request.env,
    GT_AGENT_ID: request.agent_id,
    GT_BIN: `${request.binDir}/gt`,
    GT_EVENT_BIN: `${request.binDir}/gt-event`,
    GT_INSTANCE_ID: request.instance_id,
    GT_ROLE: request.role,
    GT_RUNTIME: descriptor.id,
    GT_SESSION_ID: request.resume !== null && request.resume !== 'latest' ? request.resume : request.session_id,
    GT_STATE_DIR: request.stateDir,
    PATH: `${request.binDir}:${request.path}`,
  };
}

/** Flags of the permission mode; nothing is bypassed unless the operator configured it (decision 13). */
function permissionFlags(descriptor: RuntimeDescriptor, request: StartRequest): readonly string[] {
  const flags = descriptor.permissions[request.permissions];
  if (flags !== undefined) return flags;
  const modes = Object.keys(descriptor.permissions).join(', ');
  throw refused(
    `${request.agent_id}: ${descriptor.label} has no permission mode "${request.permissions}"`,
    `set permissions of ${request.agent_id} to one of ${modes}`,
  );
}

/** Arguments that resume or name the session. `latest` is used where the runtime cannot resume by id. */
export function sessionFlags(descriptor: RuntimeDescriptor, request: StartRequest): readonly string[] {
  const { resume, sessionIdFlag } = descriptor;
  if (request.resume !== null && resume !== null) {
    const byId = request.resume === 'latest' ? null : resume.byId;
    return (byId ?? resume.latest ?? []).map((word) => word.replace('{id}', request.resume ?? ''));
  }
  return sessionIdFlag !== null && request.session_id !== null ? [sessionIdFlag, request.session_id] : [];
}

/**
 * The plan from its parts. Our flags that take one value come after the operator's arguments, so that one of theirs that
 * takes many (`--allowedTools A B`) cannot swallow the prompt.
 */
export function launch(
  descriptor: RuntimeDescriptor,
  request: StartRequest,
  parts: { program: readonly string[]; flags: readonly string[]; files?: readonly PlannedFile[] },
): LaunchPlan {
  const typed = request.strategy === 'startup_fallback' || descriptor.firstPrompt.how === 'typed';
  const prompt = typed || request.firstPrompt === null ? [] : promptArgument(descriptor, request.firstPrompt);
  return {
    argv: [
      ...parts.program,
      ...descriptor.args,
      ...permissionFlags(descriptor, request),
      ...request.args,
      ...parts.flags,
      ...prompt,
    ],
    env: paneEnv(descriptor, request),
    files: parts.files ?? [],
    typed: typed ? request.firstPrompt : null,
  };
}

const promptArgument = (descriptor: RuntimeDescriptor, prompt: string): readonly string[] =>
  descriptor.firstPrompt.how === 'flag' ? [descriptor.firstPrompt.flag, prompt] : [prompt];

/** The program as one word: what was found on PATH, else its name. */
export const programOf = (descriptor: RuntimeDescriptor, request: StartRequest): string =>
  request.program ?? descriptor.command;
