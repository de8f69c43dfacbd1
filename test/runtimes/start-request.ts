import type { StartRequest } from '../../src/domain/runtime.ts';

/** A start of `polecat-alpha` with nothing configured; tests lay their own over it. */
export const startRequest = (fields: Partial<StartRequest> = {}): StartRequest => ({
  agent_id: 'polecat-alpha',
  role: 'polecat',
  instance_id: 'i-1',
  cwd: '/town/.chipset/worktrees/polecat-alpha',
  stateDir: '/town/.chipset/state',
  binDir: '/town/.chipset/bin',
  program: null,
  node: '/usr/bin/node',
  distDir: '/opt/gastown/dist',
  path: '/usr/bin:/bin',
  strategy: 'hook_injection',
  permissions: 'default',
  args: [],
  env: {},
  session_id: null,
  resume: null,
  firstPrompt: null,
  ...fields,
});
