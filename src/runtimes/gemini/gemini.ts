/** Gemini CLI: polled, with the preamble as its first prompt. */
import { join } from 'node:path';
import { toRecordText } from '../../domain/json.ts';
import { shellWord } from '../../domain/quote.ts';
import type { RuntimeDescriptor } from '../../domain/runtime.ts';
import { launch, programOf, sessionFlags } from '../launch.ts';
import { deepFreeze, type Runtime } from '../runtime.ts';
import { geminiHooks } from './event-settings.ts';
import { findGeminiSession } from './find-session.ts';
import { geminiScreen } from './screen.ts';

export const geminiDescriptor: RuntimeDescriptor = deepFreeze({
  id: 'gemini',
  label: 'Gemini CLI',
  command: 'gemini',
  processNames: ['node', 'gemini'],
  strategy: 'polling',
  fallback: 'startup_fallback',
  feasible: ['prompt_preamble', 'polling', 'startup_fallback'],
  args: [],
  // One process instead of two: half the memory, and none is left behind when the pane is killed. Ink does not draw
  // where CI is set.
  env: { GEMINI_CLI_NO_RELAUNCH: 'true', CI: null, CONTINUOUS_INTEGRATION: null },
  permissions: {
    default: [],
    plan: ['--approval-mode', 'plan'],
    'auto-edit': ['--approval-mode', 'auto_edit'],
    full: ['--approval-mode', 'yolo'],
  },
  firstPrompt: { how: 'flag', flag: '-i' },
  resume: { byId: ['--resume', '{id}'], latest: ['--resume', 'latest'] },
  sessionIdFlag: '--session-id',
  events: 'user-file',
  screen: geminiScreen,
  submit: { key: 'Enter', delayMs: 500, retries: 2, proofMs: 3000 },
  interruptKeys: ['Escape'],
  exitCommand: '/quit',
  exitCodes: { 42: 'no such session', 55: 'folder not trusted: run gemini there once and trust it' },
  startWindowS: 60,
  thresholds: { stall_detection: 300 },
  idealResponseS: 120,
});

/** The agent may call `gt` without being asked for permission; nothing else is allowed here (decision 13). */
const gtPolicy = (binDir: string): string =>
  [
    '[[rule]]',
    'toolName = "run_shell_command"',
    `commandPrefix = ${JSON.stringify(shellWord(`${binDir}/gt`))}`,
    'decision = "allow"',
    'priority = 500',
    '',
  ].join('\n');

export const geminiRuntime = (descriptor: RuntimeDescriptor): Runtime => ({
  descriptor,
  plan: (request) => {
    const path = join(request.stateDir, 'runtime', `${request.agent_id}.policy.toml`);
    return launch(descriptor, request, {
      program: [programOf(descriptor, request)],
      flags: ['--policy', path, ...sessionFlags(descriptor, request)],
      files: [{ path, text: gtPolicy(request.binDir) }],
    });
  },
  findSession: findGeminiSession,
  latestSession: async () => null,
  // The user's file, not the project's: that one may be tracked, and its hooks wait for another trust.
  eventSettings: ({ home }) => ({ path: join(home, '.gemini', 'settings.json'), text: toRecordText(geminiHooks()) }),
});
