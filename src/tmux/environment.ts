/** Of the caller's environment, what may reach tmux: its own variables must never outrank the socket we name. */
export function clientEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const { TMUX: _server, TMUX_PANE: _pane, TMUX_TMPDIR: _folder, ...rest } = env;
  return rest;
}

/**
 * What may become the server's global environment, which every pane inherits: no agent's identity (GT_*), no mark of
 * a surrounding agent session, no NODE_OPTIONS of an editor's debugger.
 */
export function serverEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(clientEnvironment(env)).filter(
    ([name]) => !name.startsWith('GT_') && !foreignMarks.has(name),
  );
  return Object.fromEntries(kept);
}

const foreignMarks = new Set([
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'NODE_OPTIONS',
  'NO_RELAUNCH',
  'GEMINI_CLI',
  'CODEX_SANDBOX',
]);
