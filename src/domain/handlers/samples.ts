/**
 * For each handler of the catalogue an event that it answers and one that it must leave alone, in the words of a runtime
 * that reaches it: `gastown handlers test` fires both at the installed command.
 */
import type { Role } from '../role.ts';
import type { KnownRuntime } from './entry.ts';
import type { HandlerName } from './names.ts';

/** One call of `gt-event`: its words and the payload, in which `{root}` stands for the folder of the trial. */
export interface Fire {
  words: string;
  payload: Readonly<Record<string, unknown>>;
}

export interface Sample {
  runtime: KnownRuntime;
  role: Role;
  /** The handler's part of the configuration; it is switched on. */
  options: Readonly<Record<string, unknown>>;
  /** Files below the folder of the trial. */
  files: Readonly<Record<string, string>>;
  /** Of the agent's notepad. */
  notes: readonly string[];
  /** Fired before the event that it answers, and not before the other. */
  before: readonly Fire[];
  answers: Fire;
  /** What its answer or what it writes down shows then. */
  shows: RegExp;
  leaves: Fire;
}

export const sampleSession = '00000000-0000-4000-8000-000000000001';

const event = (name: string, fields: Record<string, unknown> = {}, words = name): Fire => ({
  words,
  payload: { session_id: sampleSession, cwd: '{root}', hook_event_name: name, ...fields },
});
const prompt = (text: string): Fire => event('UserPromptSubmit', { prompt: text });
const tool = (name: string, kind: string, input: Record<string, unknown>, more: Record<string, unknown> = {}): Fire =>
  event(name, { tool_name: kind, tool_input: input, tool_use_id: 'toolu_1', ...more }, `${name} ${groupOf(kind)}`);
const groupOf = (kind: string): string => (kind === 'Grep' ? 'Search' : kind);
const edit = (file: string, after: string) => ({ file_path: file, old_string: 'old', new_string: after });
const edited = (after: string): Fire => tool('PostToolUse', 'Edit', edit('{root}/a.ts', after));
const read = (file: string): Fire => tool('PostToolUse', 'Read', { file_path: `{root}/${file}` });
const bash = (command: string): Fire => tool('PreToolUse', 'Bash', { command });
const begun = (source: string): Fire => event('SessionStart', { source });
const stop = event('Stop', { stop_hook_active: false, last_assistant_message: 'All done.' });

type Wish = Pick<Sample, 'answers' | 'shows' | 'leaves'> & Partial<Sample>;
const sample = (wish: Wish): Sample => ({
  runtime: 'claude',
  role: 'polecat',
  options: {},
  files: {},
  notes: [],
  before: [],
  ...wish,
});

/** A mode that a human's prompt starts when its word leads. */
const mode = (name: string, words: string): Sample =>
  sample({
    role: 'crew',
    answers: prompt(words),
    shows: /mode\.started|\[gastown/,
    leaves: prompt(`is ${name} any good?`),
  });

const usage = JSON.stringify({
  type: 'assistant',
  message: { model: 'm', usage: { input_tokens: 5, cache_read_input_tokens: 159_995, output_tokens: 0 } },
});

export const samples: Readonly<Record<HandlerName, Sample>> = {
  autopilot: mode('autopilot', 'autopilot tidy the tests'),
  ultrawork: mode('ultrawork', 'ultrawork go'),
  ralph: mode('ralph', 'ralph make it right'),
  ultrapilot: mode('ultrapilot', 'ultrapilot build it'),
  swarm: mode('swarm', 'swarm 2 agents: work through the list'),
  ultraqa: mode('ultraqa', 'ultraqa the tests pass'),
  'mode-registry': sample({
    role: 'crew',
    before: [prompt('ralph make it right')],
    answers: prompt('cancelomc'),
    shows: /mode\.cancelled/,
    leaves: prompt('cancel the order of Mrs Smith'),
  }),
  'persistent-mode': sample({
    role: 'crew',
    before: [prompt('ralph make it right')],
    answers: stop,
    shows: /"decision":"block"/,
    leaves: stop,
  }),
  'thinking-block-validator': sample({
    answers: event('StopFailure', {
      error: 'unknown',
      last_assistant_message:
        'API Error: 400 messages.1.content.0: `thinking` blocks in the latest assistant message cannot be modified',
    }),
    shows: /session\.broken/,
    leaves: event('StopFailure', { error: 'unknown', last_assistant_message: 'API Error: 529 overloaded' }),
  }),
  'empty-message-sanitizer': sample({
    answers: prompt(' \u200b\n\u2800 '),
    shows: /The prompt is empty/,
    leaves: prompt(' x '),
  }),
  'comment-checker': sample({
    answers: edited('// increments i\ni += 1;'),
    shows: /added 1 comment/,
    leaves: edited('i += 2;'),
  }),
  'permission-handler': sample({
    options: { deny: ['rm -rf'], wait: 0 },
    answers: event('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'sudo rm -rf x' } }),
    shows: /"behavior":"deny"/,
    leaves: event('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } }),
  }),
  recovery: sample({
    answers: tool('PostToolUseFailure', 'Edit', edit('{root}/a.ts', 'new'), {
      error: 'String to replace not found in file.',
    }),
    shows: /Read the file again/,
    leaves: edited('new'),
  }),
  'preemptive-compaction': sample({
    files: { 't.jsonl': `${usage}\n` },
    before: [event('Stop', { ...stop.payload, transcript_path: '{root}/t.jsonl' })],
    answers: prompt('go on'),
    shows: /80 % full/,
    leaves: prompt('go on'),
  }),
  'pre-compact': sample({
    before: [prompt('paint it green please'), event('PreCompact', { trigger: 'auto' })],
    answers: begun('compact'),
    shows: /paint it green/,
    leaves: begun('startup'),
  }),
  'rules-injector': sample({
    files: {
      '.github/instructions/ts.instructions.md': '---\napplyTo: "src/**/*.ts"\n---\nUse tabs.\n',
      'src/a.ts': 'x',
      'docs/a.md': 'x',
    },
    answers: read('src/a.ts'),
    shows: /Use tabs\./,
    leaves: read('docs/a.md'),
  }),
  'directory-readme-injector': sample({
    files: { 'lib/README.md': '# The library\nParses things.\n', 'lib/a.ts': 'x' },
    answers: read('lib/a.ts'),
    shows: /Parses things\./,
    leaves: tool('PostToolUse', 'Read', { file_path: '/etc/hostname' }),
  }),
  notepad: sample({
    notes: ['the API key lives in the vault'],
    answers: begun('resume'),
    shows: /the API key lives in the vault/,
    leaves: prompt('hello'),
  }),
  learner: sample({
    files: {
      '.chipset/skills/flaky-port.md':
        '---\nname: flaky-port\ndescription: free the port\ntriggers: [port in use]\n---\n\nKill it.',
    },
    answers: prompt('why is the port in use?'),
    shows: /flaky-port/,
    leaves: prompt('the airport in user land'),
  }),
  'agent-usage-reminder': sample({
    options: { after: 2 },
    before: [tool('PostToolUse', 'Grep', { pattern: 'x' })],
    answers: tool('PostToolUse', 'Grep', { pattern: 'x' }),
    shows: /a subagent could look/,
    leaves: tool('PostToolUse', 'Grep', { pattern: 'x' }),
  }),
  'keyword-detector': sample({
    role: 'crew',
    answers: prompt('maybe let ralph do it'),
    shows: /keyword\.suggested/,
    leaves: prompt('could `ralph` do it, or ralph.ts?'),
  }),
  'think-mode': sample({
    runtime: 'codex',
    answers: prompt('ultrathink: design it'),
    shows: /Think before you act/,
    leaves: prompt('I think hard drives fail, do they?'),
  }),
  'auto-slash-command': sample({
    runtime: 'codex',
    files: { '.claude/commands/deploy.md': '---\ndescription: x\n---\nDeploy $1 to $ARGUMENTS.' },
    answers: prompt('/deploy web now'),
    shows: /Deploy web to web now\./,
    leaves: prompt('see /deploy web'),
  }),
  'non-interactive-env': sample({
    options: { deny: true },
    answers: bash('/usr/bin/vim a.ts'),
    shows: /vim waits for keys/,
    leaves: bash('git commit -m "teach vim to less"'),
  }),
  'plugin-patterns': sample({
    answers: bash('git commit -am "stuff"'),
    shows: /stuff\\" is not/,
    leaves: bash('git commit -m "feat(cli)!: add a table"'),
  }),
  'todo-continuation': sample({
    role: 'crew',
    files: { [`.claude/todos/${sampleSession}.json`]: '[{"content": "a", "status": "pending"}]' },
    before: [prompt('ralph make it right')],
    answers: stop,
    shows: /"pending": 1/,
    leaves: stop,
  }),
  'omc-orchestrator': sample({
    role: 'mayor',
    answers: tool('PreToolUse', 'Edit', edit('{root}/src/a.ts', 'x')),
    shows: /sling a bead/,
    leaves: tool('PreToolUse', 'Edit', edit('{root}/docs/plan.md', 'x')),
  }),
  'subagent-tracker': sample({
    before: [tool('PreToolUse', 'Agent', { description: 'sub job', prompt: 'look', subagent_type: 'general-purpose' })],
    answers: event('SubagentStart', { agent_id: 'a0000000000000010', agent_type: 'general-purpose' }),
    shows: /"id": "a0000000000000010"/,
    leaves: prompt('hello'),
  }),
  'session-end': sample({
    answers: event('SessionEnd', { reason: 'other' }),
    shows: /"ended": \[/,
    leaves: prompt('hello'),
  }),
  'background-notification': sample({
    answers: event('Notification', { message: 'Claude needs your permission', notification_type: 'permission_prompt' }),
    shows: /"waiting": \[/,
    leaves: prompt('hello'),
  }),
  setup: sample({
    files: { 'env.sh': '' },
    answers: begun('startup'),
    shows: /export PATH=/,
    leaves: prompt('hello'),
  }),
};
