/** Ownership before a write (issue 6, done when 3): the wired entry with payloads of every runtime, in and out of an ultrapilot. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { slowWords } from '../../../src/domain/handlers/in-force.ts';
import { newRun } from '../../../src/domain/mode/apply.ts';
import type { ModeRecord } from '../../../src/domain/mode/record.ts';
import { guardedTools } from '../../../src/domain/ultrapilot/ownership.ts';
import { goOnText, memberState } from '../../../src/domain/ultrapilot/run.ts';
import { guardSlot } from '../../../src/town/handlers/file-guards.ts';
import { cancelModes } from '../../../src/town/modes/cancel.ts';
import { changeMode } from '../../../src/town/modes/change.ts';
import { join as joinRun } from '../../../src/town/modes/joint.ts';
import { jointRuns, modeRecordsOf } from '../../../src/town/modes/records.ts';
import { startMode } from '../../../src/town/modes/start.ts';
import { modeSlot, writeState } from '../../../src/town/modes/state.ts';
import { agentId, agentRecord, haveSession, instanceId, removeScratch, sessionId } from '../support/event-town.ts';
import {
  editOf,
  eventWords,
  type HandlerTown,
  type KnownRuntime,
  openHandlerTown,
  promptOf,
  recorded,
  toolOf,
} from '../support/handler-town.ts';

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
    // What a command leaves on its way is nobody's, a shared file that is there is the coordinator's.
    expect(await tool(runtime, 'Bash', { command: 'mkdir -p build && npm test > out.log; cd src && touch new' })).toBe(
      '',
    );
    writeFileSync(join(tree(), 'package.json'), '{}');
    expect(await tool(runtime, 'Bash', { command: 'sed -i s/1/2/ package.json' })).toContain('crew-me');
    expect(await write('HOOK_NEXT_CYCLE.md')).toBe('');
    expect(town.journal('ultrapilot.denied')).toHaveLength(7);
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

describe('the end of a turn, and a prompt', () => {
  const plan = {
    goal: 'x',
    coordinator: 'crew-me',
    workers: [{ agent: agentId, task: 'the cart', files: ['src/cart/**'] }],
  };
  const stop = () => town.say(eventWords.claude.stop, recorded('claude', 'Stop'));
  const member = () => modeRecordsOf(town.store, sessionId)[0];

  it('a worker with an unfinished part is sent on, twenty times at most, and never after the cancel', async () => {
    town = await openHandlerTown('claude');
    await town.store.agents.update('crew-me', () => ({ ...agentRecord('claude'), agent_id: 'crew-me', role: 'crew' }));
    const begin = async (): Promise<void> => {
      const start = {
        mode: 'ultrapilot',
        agentId: 'crew-me',
        goal: 'x',
        by: 'operator',
        joint: true,
        way: null,
      } as const;
      const { record } = await startMode(town.store, start, Date.now());
      const state = memberState('gt-abc12 working', goOnText(plan, agentId, 'gt-abc12', 'gt'));
      await joinRun(town.store, record, { agentId, state, say: false }, Date.now());
    };
    await begin();
    const { answer } = await stop();
    expect(answer).toMatchObject({ continue: true, decision: 'block' });
    expect(answer.reason).toContain('your part is not done: gt-abc12, "the cart"');
    expect(answer.reason).toContain('src/cart/**');
    const set = (iteration: number) =>
      changeMode(town.store, member() as ModeRecord, (one) => ({ ...one, iteration, still: 0 }));
    await set(19);
    town.store.heartbeat.touch(agentId, 'tool', 'Edit');
    expect((await stop()).answer.decision).toBe('block');
    town.store.heartbeat.touch(agentId, 'tool', 'Edit');
    expect((await stop()).out).toBe('');
    expect(member()).toMatchObject({ active: false, iteration: 20, ended: { kind: 'failed' } });
    await cancelModes(town.store, { agentId: 'crew-me', mode: 'ultrapilot', by: 'operator' }, Date.now());
    await begin();
    await cancelModes(town.store, { agentId: 'crew-me', mode: 'ultrapilot', by: 'operator' }, Date.now());
    expect((await stop()).out).toBe('');
    expect(member()).toBeUndefined();
  });

  it.each<KnownRuntime>(['claude', 'codex', 'gemini', 'opencode'])(
    '%s: "ultrapilot …" of a human begins with a plan, and starts nothing',
    async (runtime) => {
      town = await openHandlerTown(runtime, {}, 'crew');
      const { context } = await town.say(eventWords[runtime].prompt, promptOf(runtime, 'ultrapilot build the shop'));
      expect(context).toContain('plan parallel work for "build the shop"');
      expect(context).toContain(`coordinator: ${agentId}`);
      expect(jointRuns(town.store, 'ultrapilot')).toMatchObject([{ state: { stage: 'plan', plan: null } }]);
    },
  );

  it('in the pane of a worker it begins nothing', async () => {
    town = await openHandlerTown('claude');
    await town.say(eventWords.claude.prompt, promptOf('claude', 'ultrapilot build the shop'));
    expect(jointRuns(town.store, 'ultrapilot')).toEqual([]);
  });
});
