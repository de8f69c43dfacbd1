/** permission-handler (seed 004): the lists of gastown.yaml, the queue that a human answers, and the runtime's own prompt in time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { answerRequest, waitingRequests } from '../../../src/town/handlers/permission-queue.ts';
import { type PrivateTmux, startPrivateTmux, until } from '../../support/private-tmux.ts';
import { removeScratch, sessionId } from '../support/event-town.ts';
import { type HandlerTown, type KnownRuntime, openHandlerTown, recorded } from '../support/handler-town.ts';

let town: HandlerTown;
let server: PrivateTmux;
let screen: PrivateTmux;
beforeAll(() => {
  server = startPrivateTmux();
  screen = startPrivateTmux();
});
afterEach(() => town.close());
afterAll(() => {
  server.stop();
  screen.stop();
  removeScratch();
});

const ask = (fields: object = {}) =>
  town.say('PermissionRequest', recorded('claude', 'PermissionRequest-Bash', fields));
const bash = (command: string) => ask({ tool_input: { command } });
const decision = async (asked: ReturnType<typeof ask>) => (await asked).answer.hookSpecificOutput?.decision ?? null;

/** The town's server is the private one, as `up` records it. */
const withServer = (socket: string): void =>
  writeFileSync(join(town.stateDir, 'town.json'), JSON.stringify({ running: true, socket, config: {} }));

/** A human at a terminal: a client of the town's server within a pane of another one. */
async function someoneLooks(): Promise<void> {
  screen.tmux(
    'respawn-pane',
    '-k',
    '-t',
    'anchor:',
    'env',
    '-u',
    'TMUX',
    'tmux',
    '-S',
    server.socket,
    'attach',
    '-t',
    'anchor',
  );
  await until('the client', () => server.tmux('list-clients').trim() !== '');
}

describe.each(['claude', 'codex'] as const satisfies readonly KnownRuntime[])('%s', (runtime) => {
  it('the lists answer: allowed by its first words, denied anywhere in the line, the strictest first', async () => {
    const lists = { allow: ['git status', 'WebFetch'], deny: ['rm -rf', 'git push'] };
    town = await openHandlerTown(runtime, { 'permission-handler': { ...lists, wait: 0 } });
    expect(await decision(bash('git status --short'))).toEqual({ behavior: 'allow' });
    expect(await decision(ask({ tool_name: 'WebFetch', tool_input: { url: 'http://x' } }))).toEqual({
      behavior: 'allow',
    });
    expect(await decision(bash('cd / && sudo rm -rf x'))).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('rm -rf'),
    });
    for (const other of [
      'git status; curl x | sh',
      'git status $(id)',
      'git statusx',
      'git',
      'echo git status',
      'git status > a',
      'ls',
    ])
      expect(await decision(bash(other))).toBeNull();
    expect(town.journal('permission.deny')).toHaveLength(1);
    expect(town.journal('permission.allow')).toHaveLength(2);
  });
});

describe('the queue', () => {
  it('while somebody looks the request waits, and the answer of the control pane is the runtime’s', async () => {
    town = await openHandlerTown('claude', { 'permission-handler': { wait: 8 } });
    withServer(server.socket);
    await someoneLooks();
    const asked = ask();
    const request = await until('the request', () => waitingRequests(town.store, Date.now())[0]);
    expect(request).toMatchObject({ tool: 'Bash', what: 'touch perm-ran-default', session_id: sessionId });
    await answerRequest(town.store, request.request_id, 'deny', 'operator', Date.now());
    expect(await decision(asked)).toMatchObject({ behavior: 'deny' });
    expect(waitingRequests(town.store, Date.now())).toEqual([]);
    await expect(answerRequest(town.store, request.request_id, 'allow', 'operator', Date.now())).rejects.toMatchObject({
      exit: 3,
    });
    const again = ask();
    const second = await until('the request', () => waitingRequests(town.store, Date.now())[0]);
    await answerRequest(town.store, second.request_id, 'allow', 'operator', Date.now());
    expect(await decision(again)).toEqual({ behavior: 'allow' });
  });

  it('nobody answers: it falls through to the runtime’s own prompt', async () => {
    town = await openHandlerTown('claude', { 'permission-handler': { wait: 1 } });
    withServer(server.socket);
    await someoneLooks();
    expect((await ask()).out).toBe('');
    expect(waitingRequests(town.store, 0)).toEqual([]);
  });

  it('nobody looks, or no server: it never waits at all', async () => {
    town = await openHandlerTown('claude', { 'permission-handler': { wait: 8 } });
    withServer(screen.socket);
    // Whether it waits tells the queue: nothing was ever in it.
    const seen: number[] = [];
    const asked = ask().finally(() => seen.push(-1));
    while (!seen.includes(-1)) {
      seen.push(waitingRequests(town.store, Date.now()).length);
      await new Promise((done) => setTimeout(done, 10));
    }
    expect((await asked).out).toBe('');
    expect(seen.filter((count) => count > 0)).toEqual([]);
  });

  it('a question is for the human alone, and so is the end of planning', async () => {
    town = await openHandlerTown('claude', { 'permission-handler': { allow: ['AskUserQuestion', 'ExitPlanMode'] } });
    expect((await town.say('PermissionRequest', recorded('claude', 'PermissionRequest-AskUserQuestion'))).out).toBe('');
    expect((await ask({ tool_name: 'ExitPlanMode', tool_input: {} })).out).toBe('');
  });
});
