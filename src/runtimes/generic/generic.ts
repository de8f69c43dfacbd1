/** Any other program of the configuration: nothing is known of it but that it shows a prompt when it reads. */
import type { RuntimeDescriptor, ScreenMarks, Strategy } from '../../domain/runtime.ts';
import { launch, programOf } from '../launch.ts';
import { deepFreeze, type Runtime } from '../runtime.ts';

const genericScreen: ScreenMarks = {
  // A line that begins with a prompt; without one nothing is typed before the start window is over (field report 01).
  ready: { text: [/^\s*[❯›>»$%#](?:\s|$)/m] },
  busy: { text: [/esc to interrupt/i] },
  dialogs: [{ kind: 'question', text: [/\[[Yy]\/[Nn]\]\s*$/m], hint: 'The program asks yes or no' }],
  limits: [],
  composer: /^\s*[❯›>»$%#]\s?(?<draft>.*)$/,
  placeholders: [],
};

/** A descriptor for a configured command; `strategy` defaults to polling with the preamble typed. */
export const genericDescriptor = (id: string, command: string, strategy: Strategy): RuntimeDescriptor =>
  deepFreeze({
    id,
    label: id,
    command,
    processNames: [command.split('/').at(-1) ?? command],
    strategy,
    fallback: strategy === 'startup_fallback' ? null : 'startup_fallback',
    feasible: ['prompt_preamble', 'startup_fallback', 'polling'],
    args: [],
    env: {},
    permissions: { default: [], plan: [], 'auto-edit': [], full: [] },
    firstPrompt: { how: 'typed' },
    resume: null,
    sessionIdFlag: null,
    events: null,
    screen: genericScreen,
    submit: { key: 'Enter', delayMs: 200, retries: 2, proofMs: 2000 },
    interruptKeys: ['C-c'],
    exitCommand: null,
    exitCodes: {},
    startWindowS: 60,
    thresholds: {},
    idealResponseS: 120,
  });

export const genericRuntime = (descriptor: RuntimeDescriptor): Runtime => ({
  descriptor,
  plan: (request) => launch(descriptor, request, { program: [programOf(descriptor, request)], flags: [] }),
  findSession: async () => 'no',
  latestSession: async () => null,
  eventSettings: null,
});
