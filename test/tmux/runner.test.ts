import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeProcess, processTable, treeOf } from '../../src/tmux/process.ts';
import { readExit, runnerArgv, writeRunner } from '../../src/tmux/runner.ts';
import { stopTree } from '../../src/tmux/stop-tree.ts';
import { type PrivateTmux, startPrivateTmux, until } from '../support/private-tmux.ts';

let server: PrivateTmux;
let count = 0;
beforeAll(() => {
  server = startPrivateTmux('set -wg remain-on-exit on\n');
  writeRunner(join(server.folder, 'bin'));
});
afterAll(() => server.stop());

/** Runs a shell line under the runner in a pane of its own. */
function run(line: string): { pane_id: string; pid: number; exitFile: string } {
  count += 1;
  const exitFile = join(server.folder, `exit-${count}`);
  const argv = runnerArgv(join(server.folder, 'bin'), exitFile, ['/bin/sh', '-c', line]);
  const made = server.tmux(
    'new-window',
    '-d',
    '-P',
    '-F',
    '#{pane_id} #{pane_pid}',
    '-t',
    'anchor:',
    '-c',
    server.folder,
    ...argv,
  );
  const [pane_id = '', pid = ''] = made.trim().split(' ');
  return { pane_id, pid: Number(pid), exitFile };
}

const childOf = (pid: number) => until('the child', async () => (await processTable()).find((row) => row.ppid === pid));
const stateOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) (.).*/s, '$1');

describe('gt-run', () => {
  it.each([
    ['exit 0', 0],
    ['exit 7', 7],
    ['exit 255', 255],
    ['kill -KILL $$', 137],
    ['kill -TERM $$', 143],
  ])('records how "%s" ends', async (line, code) => {
    const { exitFile } = run(line);
    await until('the exit file', () => readExit(exitFile) !== null);
    expect(readExit(exitFile)).toBe(code);
  });

  it('gives the program the terminal: standard input, and keys that interrupt it but not the runner', async () => {
    const { pane_id, pid, exitFile } = run(
      "test -t 0 && trap 'echo caught; exit 9' INT; echo ready; while :; do sleep 0.05; done",
    );
    await until('the program', () => server.tmux('capture-pane', '-p', '-t', pane_id).includes('ready'));
    expect((await probeProcess(pid)).answer).toBe('yes');
    server.tmux('send-keys', '-t', pane_id, 'C-c');
    await until('the exit file', () => readExit(exitFile) !== null);
    expect(readExit(exitFile)).toBe(9);
  });

  it.runIf(process.platform === 'linux')('a stopped program stays stopped, and goes on when continued', async () => {
    const { pid, exitFile } = run('trap "exit 5" USR1; while :; do sleep 0.05; done');
    const child = await childOf(pid);
    process.kill(child.pid, 'SIGSTOP');
    await until('the stop', () => stateOf(child.pid) === 'T');
    // tmux continues what it sees stopped as soon as it is told; it has been told of other things by now.
    for (let round = 0; round < 5; round += 1) server.tmux('list-panes', '-a');
    expect(stateOf(child.pid)).toBe('T');
    expect((await probeProcess(pid)).answer).toBe('yes');
    process.kill(child.pid, 'SIGCONT');
    process.kill(child.pid, 'SIGUSR1');
    await until('the exit file', () => readExit(exitFile) !== null);
    expect(readExit(exitFile)).toBe(5);
  });

  it('the end of the pane ends the program, too', async () => {
    const { pane_id, pid } = run('echo ready; while :; do sleep 0.05; done');
    const child = await childOf(pid);
    server.tmux('kill-pane', '-t', pane_id);
    await until(
      'both ends',
      async () => (await probeProcess(pid)).answer === 'no' && (await probeProcess(child.pid)).answer === 'no',
    );
  });

  it('a program that outlives its pane is still found and ended by the pid of the pane', async () => {
    const { pane_id, pid } = run('trap "" HUP TERM; while :; do sleep 0.05; done');
    const child = await childOf(pid);
    const root = await probeProcess(pid);
    server.tmux('kill-pane', '-t', pane_id);
    await until('the end of the runner', async () => (await probeProcess(pid)).answer === 'no');
    expect((await probeProcess(child.pid)).answer).toBe('yes');
    expect(await stopTree(pid, root.answer === 'yes' ? root.started : '', { graceMs: 100 })).toEqual([]);
    expect((await probeProcess(child.pid)).answer).toBe('no');
  });

  it('a program that is not there says so in the pane and is code 127', async () => {
    const exitFile = join(server.folder, 'exit-none');
    const argv = runnerArgv(join(server.folder, 'bin'), exitFile, ['/no/such/program', 'x']);
    const pane = server.tmux('new-window', '-d', '-P', '-F', '#{pane_id}', '-t', 'anchor:', ...argv).trim();
    await until('the exit file', () => readExit(exitFile) !== null);
    expect(readExit(exitFile)).toBe(127);
    await until('the words', () => server.tmux('capture-pane', '-p', '-S', '-9', '-t', pane).includes('not found'));
  });

  it('reads nothing but a code from an exit file', () => {
    const file = join(server.folder, 'odd');
    for (const text of ['', 'x', '12345', '-1']) {
      writeFileSync(file, text);
      expect(readExit(file)).toBeNull();
    }
  });
});

describe('stopTree', () => {
  it('ends the runner, the program, and children that ignore signals or lost their parent', async () => {
    const { pid } = run(
      'trap "" HUP TERM; (trap "" HUP TERM; while :; do sleep 0.1; done) & (sh -c "trap \'\' TERM HUP; while :; do sleep 0.1; done" &) ; echo $! >/dev/null; while :; do sleep 0.1; done',
    );
    const probe = await probeProcess(pid);
    if (probe.answer !== 'yes') throw new Error('the runner runs');
    await until('the tree', async () => treeOf(await processTable(), pid).filter((row) => row.pid !== pid).length >= 3);
    const before = treeOf(await processTable(), pid);
    expect(await stopTree(pid, probe.started, { graceMs: 200 })).toEqual([]);
    const after = await processTable();
    for (const row of before)
      expect(after.find((each) => each.pid === row.pid && each.started === row.started)).toBeUndefined();
  });

  it('field report 23: touches nothing when the start time is another', async () => {
    const { pid } = run('while :; do sleep 0.1; done');
    expect(await stopTree(pid, 'another-start', { graceMs: 50 })).toEqual([]);
    expect((await probeProcess(pid)).answer).toBe('yes');
  });

  it('says no for a pid that is not there', async () => {
    expect(await probeProcess(4_190_000)).toEqual({ answer: 'no' });
  });
});
