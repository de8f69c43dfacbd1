/** opencode: the preamble goes by `--prompt`; its session begins with the first prompt. */
import { join } from 'node:path';
import type { RuntimeDescriptor, StartRequest } from '../../domain/runtime.ts';
import { launch, programOf, sessionFlags } from '../launch.ts';
import { deepFreeze, type Runtime } from '../runtime.ts';
import { opencodePlugin } from './plugin.ts';
import { opencodeScreen } from './screen.ts';

export const opencodeDescriptor: RuntimeDescriptor = deepFreeze({
  id: 'opencode',
  label: 'opencode',
  command: 'opencode',
  processNames: ['opencode', 'node', 'bun'],
  strategy: 'prompt_preamble',
  fallback: 'startup_fallback',
  feasible: ['prompt_preamble', 'startup_fallback', 'polling'],
  args: [],
  env: {},
  permissions: { default: [], plan: ['--agent', 'plan'], full: ['--auto'] },
  firstPrompt: { how: 'flag', flag: '--prompt' },
  resume: { byId: ['--session', '{id}'], latest: ['--continue'] },
  sessionIdFlag: null,
  events: 'plugin',
  screen: opencodeScreen,
  submit: { key: 'Enter', delayMs: 500, retries: 2, proofMs: 4000 },
  // It asks "esc again to interrupt".
  interruptKeys: ['Escape', 'Escape'],
  exitCommand: '/exit',
  exitCodes: {},
  startWindowS: 90,
  thresholds: {},
  idealResponseS: 120,
});

export const opencodeRuntime = (descriptor: RuntimeDescriptor): Runtime => ({
  descriptor,
  plan: (asked) => {
    // A continued session opens beside its `--prompt` and never submits it.
    const request: StartRequest = asked.resume === null ? asked : { ...asked, strategy: 'startup_fallback' };
    return launch(descriptor, request, {
      program: [programOf(descriptor, request)],
      flags: sessionFlags(descriptor, request),
    });
  },
  findSession: async () => 'unknown',
  latestSession: async () => null,
  eventSettings: ({ home }) => ({
    path: join(home, '.config', 'opencode', 'plugin', 'gastown.js'),
    text: opencodePlugin,
  }),
});
