/** Ownership before a write (issue 6, done when 3): the wired entry with payloads of every runtime, in and out of an ultrapilot. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { slowWords } from '../../../src/domain/handlers/in-force.ts';
import { newRun } from '../../../src/domain/mode/apply.ts';
import { guardedTools } from '../../../src/domain/ultrapilot/ownership.ts';
import { guardSlot } from '../../../src/town/handlers/file-guards.ts';
import { cancelModes } from '../../../src/town/modes/cancel.ts';
import { modeSlot, writeState } from '../../../src/town/modes/state.ts';
import { agentId, haveSession, instanceId, removeScratch } from '../support/event-town.ts';
import { editOf, type HandlerTown, type KnownRuntime, openHandlerTown, toolOf } from '../support/handler-town.ts';

let town: HandlerTown;
afterEach(() => town.close());
afterAll(removeScratch);

const runId = 'run-0123456789ab';
const tree = (): string => join(town.root, '.chipset/worktrees', agentId);

/** polecat-alpha has src/cart, polecat-bravo src/till, and crew-me the rest. */
async function hold(runtime: KnownRuntime): Promise<void> {
  for (const name of [agentId, 'polecat-bravo'])
    mkdirSync(join(town.root, '.chipset/worktrees', name, 'src/cart'), { recursive: true });
  await town.store.agents.update(agentId, (agent) => agent && { ...agent, worktree: tree() });
  const run = { mode: 'ultrapilot', session_id: runId, agent_id: 'crew-me', instance_id: instanceId } as const;
  const record = newRun(
    { ...run, run_id: runId, linked_to: null, goal: 'x', max_iterations: 20, state: {} },
    Date.now(),
  );
  await writeState(town.store, modeSlot(town.store, runId, 'ultrapilot'), () => record);
  await writeState(town.store, guardSlot(town.store, agentId), () => ({
    run_id: runId,
    agent_id: agentId,
    coordinator: 'crew-me',
    workers: [
      { agent: agentId, files: ['src/cart/**', 'notes.md'] },
      { agent: 'polecat-bravo', files: ['src/till/**'] },
    ],
    root: town.root,
    tree: tree(),
    joined: 'ultrapilot-56789a',
    slow: slowWords(runtime, [{ kind: 'tool_start', tools: guardedTools }]),
  }));
}

type Input = Record<string, unknown>;
const tool = async (
  runtime: KnownRuntime,
  kind: 'Edit' | 'Bash',
  input: Input,
  fields: Input = {},
): Promise<string> => {
  const { answer } = await town.say(...toolOf(runtime, 'start', kind, input, { cwd: tree(), ...fields }));
  return (
    answer.hookSpecificOutput?.permissionDecisionReason ??
    answer.block ??
    (answer.decision === 'deny' ? (answer.reason ?? '') : '')
  );
};

describe.each<KnownRuntime>(['claude', 'codex', 'gemini', 'opencode'])('%s', (runtime) => {
  it('a worker’s write outside its set is denied with the owner named, and on record; inside it is its own', async () => {
    town = await openHandlerTown(runtime, { 'omc-orchestrator': false });
    await hold(runtime);
    const write = (file: string) => tool(runtime, 'Edit', editOf(runtime, file, 'x'));
    expect(await write(join(tree(), 'src/cart/total.ts'))).toBe('');
    const denied = await write(join(tree(), 'src/till/total.ts'));
    expect(denied).toContain('src/till/total.ts belongs to polecat-bravo, not to polecat-alpha');
    expect(denied).toContain('Yours: src/cart/** notes.md');
    expect(await write('src/till/total.ts')).toContain('polecat-bravo');
    expect(await write('package.json')).toContain('package.json belongs to crew-me');
    expect(await write(join(town.root, '.chipset/worktrees/polecat-bravo/src/cart/x.ts'))).toContain(
      'tree of polecat-bravo',
    );
    expect(await write(join(town.root, 'src/cart/x.ts'))).toContain(`yours is ${tree()}/src/cart/x.ts`);
    expect(await tool(runtime, 'Bash', { command: 'echo x > src/till/a.ts' })).toContain('polecat-bravo');
    expect(await tool(runtime, 'Bash', { command: 'cat src/till/a.ts > src/cart/a.ts' })).toBe('');
    expect(town.journal('ultrapilot.denied')).toHaveLength(6);
  });
});

describe('what is written, by each tool', () => {
  it.each<[KnownRuntime, string, Input]>([
    ['claude', 'Write', { file_path: 'src/till/a.ts', content: 'x' }],
    ['claude', 'MultiEdit', { file_path: 'src/till/a.ts', edits: [] }],
    ['claude', 'NotebookEdit', { notebook_path: 'src/till/a.ipynb', new_source: 'x' }],
    [
      'codex',
      'apply_patch',
      { command: '*** Begin Patch\n*** Add File: src/cart/a.ts\n+x\n*** Delete File: src/till/a.ts\n*** End Patch' },
    ],
    [
      'codex',
      'apply_patch',
      { command: '*** Begin Patch\n*** Update File: src/cart/a.ts\n*** Move to: src/till/a.ts\n@@\n*** End Patch' },
    ],
    ['gemini', 'write_file', { file_path: 'src/till/a.ts', content: 'x' }],
    ['opencode', 'write', { filePath: 'src/till/a.ts', content: 'x' }],
    ['opencode', 'patch', { patchText: '*** Begin Patch\n*** Update File: src/till/a.ts\n@@\n*** End Patch' }],
  ])('%s %s', async (runtime, name, input) => {
    town = await openHandlerTown(runtime);
    await hold(runtime);
    const named = runtime === 'opencode' ? { tool: name } : { tool_name: name };
    expect(await tool(runtime, 'Edit', input, named)).toContain('polecat-bravo');
  });
});

describe('where a path leads', () => {
  it('dots, links, links that lead nowhere yet and case are seen through', async () => {
    town = await openHandlerTown('claude');
    await hold('claude');
    symlinkSync('../till', join(tree(), 'src/cart/across'));
    symlinkSync('../till/new.ts', join(tree(), 'src/cart/dangling.ts'));
    symlinkSync('src/cart', join(tree(), 'short'));
    symlinkSync('../../cart/x.ts', join(tree(), 'src/cart/own.ts'));
    const write = (file: string) => tool('claude', 'Edit', editOf('claude', file, 'x'));
    expect(await write('src/cart/../till/a.ts')).toContain('polecat-bravo');
    expect(await write('src/cart/across/a.ts')).toContain('polecat-bravo');
    expect(await write('src/cart/dangling.ts')).toContain('polecat-bravo');
    expect(await write('src/TILL/a.ts')).toContain('polecat-bravo');
    expect(await write('SRC/Cart/a.ts')).toBe('');
    expect(await write('short/a.ts')).toBe('');
    expect(await write('src/cartoon/a.ts')).toContain('crew-me');
    expect(await write('/tmp/elsewhere.ts')).toBe('');
  });
});

describe('who is not in one, or not any more', () => {
  it('a cancelled run holds nobody, and what held him is gone', async () => {
    town = await openHandlerTown('claude');
    await hold('claude');
    const write = () => tool('claude', 'Edit', editOf('claude', 'src/till/a.ts', 'x'));
    expect(await write()).toContain('polecat-bravo');
    await cancelModes(town.store, { agentId: 'crew-me', mode: 'ultrapilot', by: 'operator' }, Date.now());
    expect(await write()).toBe('');
    expect(town.state('ultrapilot', agentId)).toBeNull();
  });

  it('only the agents of one leave the shell’s fast path for it', async () => {
    town = await openHandlerTown('gemini');
    const words = async (): Promise<string[]> => {
      await haveSession(town, { status: 'idle' });
      await town.say(...toolOf('gemini', 'start', 'Bash', { command: 'ls' }));
      return readdirSync(join(town.store.paths.heartbeatDir, `${agentId}.fast`)).filter((name) =>
        name.startsWith('slow.'),
      );
    };
    expect(await words()).toEqual([]);
    await hold('gemini');
    expect(await words()).toEqual(['slow.BeforeTool']);
  });
});
