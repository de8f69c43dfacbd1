import { afterEach, expect, test } from 'vitest';
import { type PrivateTmux, startPrivateTmux, until } from '../support/private-tmux.ts';
import { gastownProgram, type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
let terminal: PrivateTmux;
afterEach(async () => {
  terminal.stop();
  await town.stop();
});

/** Runs `gastown …words` on a real terminal of 100 × 30; answers what it shows. */
function onTerminal(words: string, variables: string): () => string {
  const set = Object.entries(town.env).map(([name, value]) => `${name}='${value}'`);
  const command = `cd '${town.root}' && env -u CI ${set.join(' ')} ${variables} '${process.execPath}' '${gastownProgram}' ${words}; echo "left with $?"; exec cat`;
  const pane = terminal.tmux('new-window', '-P', '-F', '#{pane_id}', command).trim();
  return () => terminal.tmux('capture-pane', '-p', '-t', pane);
}

test('field report 53: CI=true on a real terminal still draws, and without colour where NO_COLOR is set', async () => {
  town = scratchTown();
  terminal = startPrivateTmux();
  await town.run(['up', '--detach']);
  const screen = onTerminal('control', 'CI=true NO_COLOR=1');
  await until('the table', () => screen().includes('polecat-alpha'), 30_000);
  expect(screen()).toContain('s sling');
}, 90_000);

test('bare gastown attaches; q leaves the town running and gives the terminal back', async () => {
  town = scratchTown();
  terminal = startPrivateTmux();
  await town.run(['up', '--detach']);
  const screen = onTerminal('', '');
  await until('the control pane', () => screen().includes('polecat-alpha') && screen().includes('sling'), 30_000);
  terminal.tmux('send-keys', 'q');
  await until('the end of the client', () => screen().includes('left with 0'), 30_000);
  expect(screen()).toContain('the town goes on');
  expect((await town.status()).town).toMatchObject({ running: true, server: 'ok' });
}, 90_000);

test('bare gastown with the town down is one line, exit 3', async () => {
  town = scratchTown();
  terminal = startPrivateTmux();
  const screen = onTerminal('', '');
  await until('the end', () => screen().includes('left with'), 30_000);
  expect(screen()).toMatch(/gastown: the town is down; start it: gastown up\s+left with 3/);
}, 60_000);
