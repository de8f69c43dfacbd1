/** Handlers of tool events (seed 004) through the wired entry: what each does for a payload of every runtime that reaches it, and what leaves it silent. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { agentId, removeScratch } from '../support/event-town.ts';
import { editOf, type HandlerTown, type KnownRuntime, openHandlerTown, toolOf } from '../support/handler-town.ts';

let town: HandlerTown;
afterEach(() => town.close());
afterAll(removeScratch);

const runtimes: readonly KnownRuntime[] = ['claude', 'codex', 'gemini', 'opencode'];
const denied = (answer: Awaited<ReturnType<HandlerTown['say']>>['answer']): string =>
  answer.hookSpecificOutput?.permissionDecisionReason ??
  answer.block ??
  (answer.decision === 'deny' ? (answer.reason ?? '') : '');

describe.each(runtimes)('%s', (runtime) => {
  it('recovery: an edit that did not match is told to read again; one that did is not', async () => {
    town = await openHandlerTown(runtime, { recovery: { repeats: 3 } });
    const error = {
      claude: { error: 'String to replace not found in file.' },
      codex: { tool_response: 'apply_patch verification failed: Failed to find expected lines in a.ts' },
      gemini: { tool_response: { error: { message: 'Failed to edit, 0 occurrences found for old_string' } } },
      opencode: { output: 'Error: oldString not found in content' },
    }[runtime];
    const failed = toolOf(runtime, 'failed', 'Edit', editOf(runtime, 'a.ts', 'new'), error);
    expect((await town.say(...failed)).context).toContain('Read the file again');
    const fine = {
      claude: {},
      codex: { tool_response: 'Done!' },
      gemini: { tool_response: { llmContent: 'ok' } },
      opencode: { output: 'ok' },
    }[runtime];
    expect((await town.say(...toolOf(runtime, 'end', 'Edit', editOf(runtime, 'a.ts', 'new'), fine))).out).toBe('');
    // #579: words in the output of a command are no failure.
    const words = {
      claude: {},
      codex: { tool_response: 'grep: error: string not found' },
      gemini: { tool_response: { llmContent: 'error: not found' } },
      opencode: { output: 'error: not found' },
    }[runtime];
    expect((await town.say(...toolOf(runtime, 'end', 'Bash', { command: 'grep x' }, words))).out).toBe('');
    await town.say(...failed);
    expect((await town.say(...failed)).context).toContain('3 times in a row: change your approach');
  });

  it('comment-checker: comments that an edit added are counted and shown; the old ones, directives and strings are not', async () => {
    town = await openHandlerTown(runtime, { 'comment-checker': true });
    const after = ['// increments i', 'i += 1;', '// eslint-disable-next-line', "const u = 'http://x//y';"].join('\n');
    const { context } = await town.say(
      ...toolOf(runtime, 'end', 'Edit', editOf(runtime, 'a.ts', after), { output: 'ok' }),
    );
    expect(context).toContain('added 1 comment.');
    expect(context).toContain('"// increments i"');
    const code = editOf(runtime, 'a.ts', 'i += 2;');
    expect((await town.say(...toolOf(runtime, 'end', 'Edit', code, { output: 'ok' }))).out).toBe('');
  });

  it('rules-injector: a rule meant for the file, once a session; none for another file', async () => {
    town = await openHandlerTown(runtime, { 'rules-injector': true });
    town.write('.github/instructions/ts.instructions.md', '---\napplyTo: "src/**/*.ts"\n---\nUse tabs.\n');
    await town.configure({ 'rules-injector': true });
    const read = (file: string) =>
      town.say(
        ...toolOf(
          runtime,
          'end',
          'Read',
          { [runtime === 'opencode' ? 'filePath' : 'file_path']: town.write(file, 'x') },
          { output: 'x' },
        ),
      );
    expect((await read('docs/a.md')).out).toBe('');
    const { context } = await read('src/deep/er/a.ts');
    expect(context).toContain('.github/instructions/ts.instructions.md');
    expect(context).toContain('Use tabs.');
    expect((await read('src/b.ts')).out).toBe('');
  });

  it('directory-readme-injector: a folder says what it is, once; folders above the tree say nothing', async () => {
    town = await openHandlerTown(runtime, { 'directory-readme-injector': true });
    const key = runtime === 'opencode' ? 'filePath' : 'file_path';
    town.write('lib/README.md', '# The library\nParses things.\n');
    town.write('../README.md', 'not of this tree');
    const file = town.write('lib/a.ts', '');
    const { context } = await town.say(...toolOf(runtime, 'end', 'Read', { [key]: file }, { output: 'x' }));
    expect(context).toContain('Parses things.');
    expect(context).not.toContain('not of this tree');
    expect((await town.say(...toolOf(runtime, 'end', 'Read', { [key]: file }, { output: 'x' }))).out).toBe('');
    expect((await town.say(...toolOf(runtime, 'end', 'Read', { [key]: '/etc/hostname' }, { output: 'x' }))).out).toBe(
      '',
    );
  });

  it('agent-usage-reminder: searches without delegation, said once; not after a subagent was used', async () => {
    town = await openHandlerTown(runtime, { 'agent-usage-reminder': { after: 2 } });
    const search = () => town.say(...toolOf(runtime, 'end', 'Search', { pattern: 'x' }, { output: 'x' }));
    expect((await search()).out).toBe('');
    expect((await search()).context).toContain('a subagent could look');
    expect((await search()).out).toBe('');
    expect(town.state('agent-usage-reminder')).toMatchObject({ searches: 3, delegated: 0 });
  });

  it('omc-orchestrator: a worker’s write into another’s tree is denied with the owner named; its own tree and the world outside are its own', async () => {
    town = await openHandlerTown(runtime, { 'omc-orchestrator': true });
    const own = join(town.root, '.chipset/worktrees', agentId);
    for (const name of [agentId, 'polecat-bravo'])
      mkdirSync(join(town.root, '.chipset/worktrees', name), { recursive: true });
    await town.store.agents.update(agentId, (agent) => agent && { ...agent, worktree: own });
    const write = async (file: string) =>
      (await town.say(...toolOf(runtime, 'start', 'Edit', editOf(runtime, file, 'x')))).answer;
    expect(denied(await write(join(town.root, '.chipset/worktrees/polecat-bravo/a.ts')))).toContain('polecat-bravo');
    expect(denied(await write(join(town.root, 'src/a.ts')))).toContain('works in its own tree');
    expect(denied(await write(join(town.root, '.chipset/state/hooks/x.json')))).toContain('by gt alone');
    expect(await write(join(own, 'src/a.ts'))).toEqual({});
    expect(await write('/tmp/elsewhere.txt')).toEqual({});
    expect(town.journal('policy.write')).toHaveLength(3);
  });

  it('non-interactive-env: a command that waits for keys is not run; its name as a word is no such command', async () => {
    town = await openHandlerTown(runtime, { 'non-interactive-env': { deny: true } });
    const run = async (command: string) =>
      denied((await town.say(...toolOf(runtime, 'start', 'Bash', { command }))).answer);
    expect(await run('cd src && GIT_PAGER= git rebase -i HEAD~3')).toContain('opens an editor');
    expect(await run('/usr/bin/vim a.ts')).toContain('vim waits for keys');
    expect(await run('git commit -m "teach vim to less"')).toBe('');
  });

  it('plugin-patterns: a commit message that is not conventional is held back; the formatter is named once', async () => {
    town = await openHandlerTown(runtime, { 'plugin-patterns': true });
    town.write('biome.json', '{}');
    const run = async (command: string) =>
      denied((await town.say(...toolOf(runtime, 'start', 'Bash', { command }))).answer);
    expect(await run('git add . && git commit -am "stuff"')).toContain('"stuff" is not');
    expect(await run('git commit -m "feat(cli)!: add a table"')).toBe('');
    const edit = () => town.say(...toolOf(runtime, 'end', 'Edit', editOf(runtime, 'a.ts', 'x'), { output: 'ok' }));
    expect((await edit()).context).toContain('npx biome check --write');
    expect((await edit()).out).toBe('');
  });
});

describe('claude alone', () => {
  it('rules-injector: what Claude loads itself is left out, for the others it is not', async () => {
    town = await openHandlerTown('claude');
    town.write('.claude/rules/all.md', 'Be kind.\n');
    await town.configure({});
    const file = town.write('a.ts', '');
    expect((await town.say(...toolOf('claude', 'end', 'Read', { file_path: file }))).out).toBe('');
    town.close();
    town = await openHandlerTown('gemini', { 'rules-injector': true });
    town.write('.claude/rules/all.md', 'Be kind.\n');
    await town.configure({ 'rules-injector': true });
    const there = town.write('a.ts', '');
    expect((await town.say(...toolOf('gemini', 'end', 'Read', { file_path: there }))).context).toContain('Be kind.');
  });

  it('omc-orchestrator: roles that lead write documents and no code; warn only keeps a record', async () => {
    town = await openHandlerTown('claude', {}, 'mayor');
    const write = async (file: string) =>
      denied(
        (await town.say(...toolOf('claude', 'start', 'Edit', editOf('claude', join(town.root, file), 'x')))).answer,
      );
    expect(await write('src/a.ts')).toContain('sling a bead');
    expect(await write('docs/plan.md')).toBe('');
    await town.configure({ 'omc-orchestrator': { enforce: 'warn' } });
    expect(await write('src/a.ts')).toBe('');
    expect(town.journal('policy.write')).toHaveLength(2);
  });
});
