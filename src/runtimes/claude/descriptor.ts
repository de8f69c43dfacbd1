/** Claude Code as data; marks measured with 2.1.332 and 2.1.197. */
import type { RuntimeDescriptor } from '../../domain/runtime.ts';
import { deepFreeze } from '../runtime.ts';
import { claudeScreen } from './screen.ts';

export const claudeDescriptor: RuntimeDescriptor = deepFreeze({
  id: 'claude',
  label: 'Claude Code',
  command: 'claude',
  processNames: ['claude', 'node'],
  strategy: 'hook_injection',
  fallback: 'prompt_preamble',
  feasible: ['hook_injection', 'startup_fallback', 'prompt_preamble', 'polling'],
  args: [],
  env: {},
  permissions: {
    default: [],
    plan: ['--permission-mode', 'plan'],
    'auto-edit': ['--permission-mode', 'acceptEdits'],
    full: ['--dangerously-skip-permissions'],
  },
  firstPrompt: { how: 'argument' },
  resume: { byId: ['--resume', '{id}'], latest: ['--continue'] },
  sessionIdFlag: '--session-id',
  events: 'settings-flag',
  screen: claudeScreen,
  submit: { key: 'Enter', delayMs: 150, retries: 2, proofMs: 2500 },
  interruptKeys: ['Escape'],
  exitCommand: '/exit',
  exitCodes: {},
  startWindowS: 30,
  thresholds: { stall_detection: 120, nudge_interval: 120, never_began: 300 },
  idealResponseS: 30,
});
