/** The simulated agent: a program of ours that does what an agent does, through `gt` alone. For demos and tests. */
import { join } from 'node:path';
import type { RuntimeDescriptor } from '../../domain/runtime.ts';
import { launch } from '../launch.ts';
import { deepFreeze, type Runtime } from '../runtime.ts';
import { simScreen } from './screen.ts';

export const simDescriptor: RuntimeDescriptor = deepFreeze({
  id: 'sim',
  label: 'simulated agent',
  command: 'node',
  processNames: ['node'],
  strategy: 'startup_fallback',
  fallback: 'polling',
  feasible: ['startup_fallback', 'prompt_preamble', 'polling'],
  args: [],
  env: {},
  permissions: { default: [], plan: [], 'auto-edit': [], full: [] },
  firstPrompt: { how: 'argument' },
  resume: null,
  sessionIdFlag: null,
  events: null,
  screen: simScreen,
  submit: { key: 'Enter', delayMs: 20, retries: 3, proofMs: 1500 },
  interruptKeys: ['Escape'],
  exitCommand: '/exit',
  exitCodes: {},
  startWindowS: 20,
  thresholds: {},
  idealResponseS: 30,
});

/** Thirty of them run at once: small heaps keep them light. */
const nodeFlags = ['--max-semi-space-size=1', '--max-old-space-size=48', '--single-threaded-gc'];

export const simRuntime = (descriptor: RuntimeDescriptor): Runtime => ({
  descriptor,
  plan: (request) =>
    launch(descriptor, request, {
      program: [request.node, ...nodeFlags, join(request.distDir, 'sim.js')],
      flags: [],
    }),
  findSession: async () => 'no',
  latestSession: async () => null,
  eventSettings: null,
});
