/**
 * The human's way through the handoff gate in a whole town: real keys in a real control pane, the archive on the disk
 * (seed 002; issue: interactive). One town, several trees, in the order of the tests.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/private-tmux.ts';
import { gastownProgram, type Ran, type ScratchTown, scratchTown } from '../support/town.ts';
import { type Operator, operatorOf } from './support/operator.ts';

const config = `agents:
  - {id: crew-me, role: crew, runtime: sim}
  - {id: polecat-alpha, runtime: sim}
gate: {human_ack: required}
`;
const title = 'hush-hush title';
const last = 'LAST-LINE-OF-IT';
const handoffOf = (cycle: string): string =>
  [
    `# Cycle ${cycle} handoff — ${title}`,
    '',
    ...Array.from({ length: 90 }, (_, index) => `- point ${index} is open \u001b[31m`),
    last,
    '',
  ].join('\n');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

let town: ScratchTown;
let operator: Operator;
let worktree: string;
let wish: Ran;
const wishToDissolve = (): Promise<Ran> => town.gt('crew-me', ['dissolve', '--cycle', '34']);
const hookOf = (tree: string): string => join(tree, 'HOOK_NEXT_CYCLE.md');
const arm = (tree: string, cycle: string): void => writeFileSync(hookOf(tree), handoffOf(cycle));
const archives = (tree: string): string[] =>
  existsSync(join(tree, 'cycles')) ? readdirSync(join(tree, 'cycles')).filter((name) => name.startsWith('cycle-')) : [];
const ledger = (tree: string): { event: string; by: string; sha256: string; sentence?: string }[] => {
  const path = join(tree, 'cycles', 'ledger.ndjson');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

beforeAll(async () => {
  town = scratchTown({ config, env: { GASTOWN_TIME_SCALE: '0.2' } });
  const up = await town.run(['up', '--detach'], { timeoutMs: 60_000 });
  expect(up, up.err).toMatchObject({ code: 0 });
  worktree = join(town.root, '.chipset/worktrees/polecat-alpha');
  arm(town.root, '034');
  arm(worktree, '7');
  wish = await wishToDissolve();
  operator = await operatorOf(town);
}, 120_000);
afterAll(() => town?.stop(), 60_000);

const controlPane = (): string =>
  (JSON.parse(readFileSync(join(town.stateDir, 'town.json'), 'utf8')) as { control_pane: string }).control_pane;

/** Opens the reader from the line of the gate's list that matches, counted from the top. */
async function read(line: number): Promise<void> {
  operator.press('Escape', 'Escape', 'g');
  await operator.shows(/Handoff gate/);
  operator.press('Home', ...Array<string>(line).fill('j'), 'Enter');
  await operator.shows(/Handoff in .*[\s\S]*# Cycle/);
}

async function toItsLastLine(): Promise<void> {
  for (let page = 0; page < 20 && !operator.screen().includes(last); page += 1) {
    const before = operator.screen();
    operator.press('Space');
    await until('the next page', () => operator.screen() !== before);
  }
  expect(operator.screen()).toContain(last);
}

async function acknowledge(sentence: string): Promise<void> {
  operator.press('Enter');
  await operator.shows(/You have read the handoff/);
  expect(operator.screen()).not.toContain(last);
  operator.type(sentence);
  operator.press('Enter');
  await operator.shows(/Dissolve the handoff[\s\S]*^>$/m);
}

function submit(value: string): void {
  operator.type(value);
  operator.press('Enter');
}

describe('the handoff gate in the control pane', () => {
  it('the header tells of armed handoffs, age and tree alone, and the status no more than that', async () => {
    await operator.shows(/handoff armed \d+[smh] repo \+1/);
    operator.press('g');
    await operator.shows(
      /armed for \d+[smh] {2}\/.*\/repo\n.*armed for \d+[smh] {2}\.chipset\/worktrees\/polecat-alpha/,
    );
    const status = (await town.run(['status', '--json'])).out + (await town.run(['status'])).out;
    for (const text of [operator.screen(), status]) {
      expect(text).not.toMatch(/034|Cycle \d|hush/);
      expect(text).not.toContain(sha256(handoffOf('034')).slice(0, 6));
    }
  });

  it('the policy makes an agent wait: its wish is a row, can be jumped to, and can be removed', async () => {
    expect(wish).toMatchObject({ code: 5, err: expect.stringContaining('has not acknowledged') });
    await operator.shows(/crew-me asked \d+[smh] ago to dissolve {2}\/.*repo/);
    await operator.shows(/\? 1 to dissolve/);
    await read(2);
    expect(operator.screen()).toContain(`Handoff in ${town.root} `);
    expect(operator.screen()).toContain('␛[31m');
    operator.press('Escape');
    await operator.shows(/the handoff stays armed/);
    operator.press('Home', 'j', 'j', 'x');
    await operator.shows(/off the list/);
    await until('the row to go', () => !operator.screen().includes('asked'));
    expect(await wishToDissolve()).toMatchObject({ code: 5 });
    expect(archives(town.root)).toEqual([]);
  });

  it('escape at every step leaves it armed, byte for byte and in place', async () => {
    const { ino } = statSync(hookOf(town.root));
    await read(0);
    operator.press('Enter');
    await operator.shows(/read it to its last line first/);
    operator.press('Escape');
    await operator.shows(/stays armed/);
    await read(0);
    await toItsLastLine();
    operator.press('Enter');
    await operator.shows(/You have read the handoff/);
    operator.press('Escape');
    await operator.shows(/stays armed/);
    await read(0);
    await toItsLastLine();
    await acknowledge('looked at it, not done yet');
    operator.press('Escape');
    await operator.shows(/stays armed/);
    expect(readFileSync(hookOf(town.root), 'utf8')).toBe(handoffOf('034'));
    expect(statSync(hookOf(town.root)).ino).toBe(ino);
    expect(archives(town.root)).toEqual([]);
    expect(ledger(town.root).map(({ event }) => event)).toEqual(['acknowledged']);
  });

  it('kill -9 of the control pane with the value typed leaves it armed; the pane comes back to an empty way', async () => {
    await read(0);
    await toItsLastLine();
    await acknowledge('read to the end, then killed');
    operator.type('34');
    await operator.shows(/^> 34$/m);
    const control = Number(operator.tmux('display-message', '-p', '-t', controlPane(), '#{pane_pid}'));
    expect(readFileSync(`/proc/${control}/cmdline`, 'utf8')).toMatch(/gastown\.cjs\0control/);
    process.kill(control, 'SIGKILL');
    const isDead = () => operator.tmux('display-message', '-p', '-t', controlPane(), '#{pane_dead}').trim() === '1';
    await until('its end', isDead);
    expect(readFileSync(hookOf(town.root), 'utf8')).toBe(handoffOf('034'));
    expect(archives(town.root)).toEqual([]);
    expect(await town.run(['up', '--detach'], { timeoutMs: 60_000 })).toMatchObject({ code: 0 });
    operator = await operatorOf(town);
    await operator.shows(/handoff armed \d+[smh] repo \+1/);
  });

  it('read, acknowledged, a wrong value, read again, the right one: archived, and only this tree', async () => {
    await read(0);
    await toItsLastLine();
    await acknowledge('I carry the parser over');
    submit('35');
    await operator.shows(/the value does not match; the handoff stays armed: read it again/);
    expect(operator.screen()).toContain('# Cycle 034 handoff');
    expect(operator.screen()).not.toContain(last);
    await toItsLastLine();
    await acknowledge('I carry the parser over, again');
    submit('34');
    await operator.shows(/archived, not committed: cycles\/cycle-034_.*\.md/);
    const [name, ...others] = archives(town.root);
    expect(others).toEqual([]);
    expect(readFileSync(join(town.root, 'cycles', name ?? ''), 'utf8')).toBe(handoffOf('034'));
    expect(existsSync(hookOf(town.root))).toBe(false);
    const digest = sha256(handoffOf('034'));
    const entries = ledger(town.root);
    expect(entries.every(({ by, sha256 }) => by === 'human' && sha256 === digest)).toBe(true);
    expect(entries.map(({ event, sentence }) => sentence ?? event)).toEqual([
      'looked at it, not done yet',
      'read to the end, then killed',
      'I carry the parser over',
      'I carry the parser over, again',
      'dissolved',
    ]);
    // The header follows the disk, not the answer.
    await operator.shows(/handoff armed \d+[smh] polecat-alpha(?! \+)/);
    expect(readFileSync(hookOf(worktree), 'utf8')).toBe(handoffOf('7'));
  });

  it('a file replaced under the reader is read again; its own digest then dissolves it, in its own tree', async () => {
    await read(1);
    await toItsLastLine();
    await acknowledge('this was about the old text');
    arm(worktree, '8');
    await operator.shows(/it changed on disk: read it again/);
    await operator.shows(/# Cycle 8 handoff/);
    await toItsLastLine();
    await acknowledge('and this is about the new one');
    operator.tmux('set-buffer', '-b', 'value', sha256(handoffOf('8')).slice(0, 12));
    operator.tmux('paste-buffer', '-p', '-b', 'value', '-t', controlPane());
    operator.press('Enter');
    await operator.shows(/archived, not committed: cycles\/cycle-8_/);
    expect(readFileSync(join(worktree, 'cycles', archives(worktree)[0] ?? ''), 'utf8')).toBe(handoffOf('8'));
    await until('the header to be clear', () => !operator.screen().includes('handoff armed'));
  });

  it('in lines for screen readers the same way leads to the same end', async () => {
    arm(town.root, '035');
    const pane = operator
      .tmux(
        'new-window',
        '-d',
        '-P',
        '-F',
        '#{pane_id}',
        '-t',
        'town:',
        '-n',
        'speech',
        '-c',
        town.root,
        '-e',
        'GASTOWN_SCREEN_READER=1',
        `exec '${process.execPath}' '${gastownProgram}' control`,
      )
      .trim();
    const heard = (): string => operator.tmux('capture-pane', '-p', '-J', '-S', '-2000', '-t', pane);
    const hears = (what: RegExp) =>
      until(`to hear ${what}`, () => what.test(heard())).catch((error: unknown) => {
        throw new Error(`${String(error)}; heard:\n${heard()}`);
      });
    const press = (...keys: string[]): void => {
      for (const key of keys) operator.tmux('send-keys', '-t', pane, key);
    };
    await hears(/handoff armed in repo/);
    press('g', 'Enter');
    await hears(/Handoff in .*space: next page/);
    press('Enter');
    await hears(/read it to its last line first/);
    press('End');
    await hears(/\| LAST-LINE-OF-IT/);
    press('Enter');
    await hears(/What do you carry over/);
    press('Tab');
    await hears(/Type what only its text tells/);
    await new Promise((resolve) => setTimeout(resolve, 600));
    press('3', '5', 'Enter');
    await hears(/archived, not committed: cycles\/cycle-035_/);
    const name = archives(town.root).find((each) => each.startsWith('cycle-035')) ?? '';
    expect(readFileSync(join(town.root, 'cycles', name), 'utf8')).toBe(handoffOf('035'));
    expect(ledger(town.root).at(-2)).toMatchObject({ event: 'acknowledged', sentence: 'read, nothing to carry over' });
    operator.tmux('kill-pane', '-t', pane);
  });
});
