/** Codex: `gt prime` is typed into its pane once it is ready (startup_fallback). */
import { join } from 'node:path';
import { toRecordText } from '../../domain/json.ts';
import type { RuntimeDescriptor, StartRequest } from '../../domain/runtime.ts';
import { launch, programOf, sessionFlags } from '../launch.ts';
import { deepFreeze, type Runtime } from '../runtime.ts';
import { codexHooks } from './event-settings.ts';
import { codexLimit } from './limit.ts';
import { codexScreen } from './screen.ts';
import { findCodexSession, latestCodexSession } from './sessions.ts';

export const codexDescriptor: RuntimeDescriptor = deepFreeze({
  id: 'codex',
  label: 'Codex',
  command: 'codex',
  processNames: ['codex', 'node'],
  strategy: 'startup_fallback',
  fallback: 'prompt_preamble',
  feasible: ['startup_fallback', 'prompt_preamble', 'polling'],
  args: ['--no-alt-screen'],
  env: {},
  permissions: {
    default: [],
    plan: ['--sandbox', 'read-only', '--ask-for-approval', 'on-request'],
    'auto-edit': ['--sandbox', 'workspace-write', '--ask-for-approval', 'on-request'],
    full: ['--dangerously-bypass-approvals-and-sandbox'],
  },
  firstPrompt: { how: 'argument' },
  resume: { byId: ['resume', '{id}'], latest: ['resume', '--last'] },
  sessionIdFlag: null,
  events: 'user-file',
  screen: codexScreen,
  submit: { key: 'Enter', delayMs: 200, retries: 2, proofMs: 2500 },
  interruptKeys: ['Escape'],
  exitCommand: '/quit',
  exitCodes: {},
  startWindowS: 45,
  thresholds: { nudge_interval: 60 },
  idealResponseS: 60,
});

/**
 * The sandbox lets it write its own tree alone, but `gt` writes the town's state. `--add-dir` ends the program where the
 * sandbox in force is read-only, which only an explicit mode rules out; the setting is without effect there.
 */
function stateWritable({ permissions, stateDir }: StartRequest): string[] {
  if (permissions === 'auto-edit') return ['--add-dir', stateDir];
  if (permissions !== 'default') return [];
  return ['-c', `sandbox_workspace_write.writable_roots=[${JSON.stringify(stateDir)}]`];
}

export const codexRuntime = (descriptor: RuntimeDescriptor): Runtime => ({
  descriptor,
  plan: (asked) => {
    const request = { ...asked, args: [...stateWritable(asked), ...asked.args] };
    const [subcommand, ...session] = sessionFlags(descriptor, request);
    const program = [programOf(descriptor, request), ...(subcommand === undefined ? [] : [subcommand])];
    return launch(descriptor, request, { program, flags: session });
  },
  findSession: findCodexSession,
  latestSession: latestCodexSession,
  loggedLimit: codexLimit,
  eventSettings: ({ home }) => ({ path: join(home, '.codex', 'hooks.json'), text: toRecordText(codexHooks()) }),
});
