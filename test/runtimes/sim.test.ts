import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { primeLine } from '../../src/domain/prime.ts';
import type { Screen } from '../../src/domain/screen.ts';
import { type SimBehaviour, simOrder } from '../../src/domain/sim.ts';
import { runtimeOf } from '../../src/runtimes/registry.ts';
import { openPane, type Pane } from '../support/real-runtimes/pane.ts';
import { startRequest } from './start-request.ts';

const { descriptor, plan } = runtimeOf('sim');
let dist: string;
let folder: string;
let pane: Pane | undefined;

beforeAll(async () => {
  dist = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-dist-`));
  await build({
    entryPoints: ['src/runtimes/sim/main.ts'],
    outfile: join(dist, 'sim.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
  });
  writeFileSync(join(dist, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(dist, { recursive: true, force: true }));

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-`)));
  for (const name of ['state/hooks', 'state/sim', 'bin', 'tree', 'pane'])
    mkdirSync(join(folder, name), { recursive: true });
  putHook('empty');
  // The part of `gt` that an agent needs, over the same hook file; the real one is tested with the town.
  writeFileSync(
    join(folder, 'bin', 'gt'),
    `#!/bin/sh
cd ${folder}
echo "$*" >> calls
move() { sed "s/pending\\|active/$1/" state/hooks/polecat-alpha.json > hook.new && mv hook.new state/hooks/polecat-alpha.json; }
case "$*" in
  "hook --json") cat state/hooks/polecat-alpha.json ;;
  "hook start") move active ;;
  done) move completed ;;
esac
`,
    { mode: 0o755 },
  );
});
afterEach(async () => {
  await pane?.close();
  pane = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function putHook(status: string, bead = 'gt-abc12'): void {
  const work_item =
    status === 'empty' ? null : { bead_id: bead, title: 'Mend the door', assigned_at: '2026-01-01T00:00:00Z' };
  const path = join(folder, 'state', 'hooks', 'polecat-alpha.json');
  writeFileSync(`${path}.new`, JSON.stringify({ status, work_item }));
  renameSync(`${path}.new`, path);
}

function order(behaviour: SimBehaviour, details: Parameters<typeof simOrder>[2] = {}): void {
  const path = join(folder, 'state', 'sim', 'polecat-alpha.json');
  writeFileSync(`${path}.new`, JSON.stringify(simOrder(behaviour, Date.now(), details)));
  renameSync(`${path}.new`, path);
}

async function start(scale = '0.05', args: string[] = []): Promise<Pane> {
  pane = await openPane({
    folder: join(folder, 'pane'),
    cwd: join(folder, 'tree'),
    env: {},
    plan: plan(
      startRequest({
        strategy: 'startup_fallback',
        cwd: join(folder, 'tree'),
        stateDir: join(folder, 'state'),
        binDir: join(folder, 'bin'),
        distDir: dist,
        node: process.execPath,
        env: { GASTOWN_TEST: '1', GASTOWN_TIME_SCALE: scale },
        args,
      }),
    ),
  });
  return pane;
}

const text = (screen: Screen): string => screen.lines.join('\n');
const isReady = (screen: Screen): boolean => descriptor.screen.ready.text.every((mark) => mark.test(text(screen)));
const isBusy = (screen: Screen): boolean => descriptor.screen.busy.text.some((mark) => mark.test(text(screen)));
const draft = (screen: Screen): string | undefined =>
  descriptor.screen.composer?.exec(screen.lines[screen.cursor.y] ?? '')?.groups?.['draft'];
const shows = (words: string) => (screen: Screen) => text(screen).includes(words);
const calls = (): string[] => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
const hook = (): { status: string } =>
  JSON.parse(readFileSync(join(folder, 'state', 'hooks', 'polecat-alpha.json'), 'utf8'));

async function prime(to: Pane): Promise<void> {
  await to.until('ready', isReady);
  await to.paste(primeLine(join(folder, 'bin', 'gt')));
  await to.keys('Enter');
}

test('primed by a typed line it runs its bead through gt alone, and says that it is simulated', async () => {
  const agent = await start();
  await agent.until('banner', shows('a simulated agent: it only pretends to work'));
  putHook('pending');
  await prime(agent);
  await agent.until('done', shows('gt-abc12 is done.'));
  await agent.until('ready again', isReady);
  expect(hook().status).toBe('completed');
  const known = ['prime', 'hook --json', 'hook start', 'touch', 'done'];
  expect(calls().filter((call) => !known.includes(call))).toEqual([]);
  expect(calls().filter((call) => call === 'hook start' || call === 'done')).toEqual(['hook start', 'done']);
  expect(calls()).toContain('prime');
  expect(readFileSync(join(folder, 'tree', 'gt-abc12.md'), 'utf8')).toContain('Mend the door');
});

test('polling: slung to while idle it begins by itself, without a keystroke', async () => {
  const agent = await start();
  await agent.until('ready', isReady);
  putHook('pending');
  await agent.until('done', shows('gt-abc12 is done.'));
  expect(calls()).not.toContain('prime');
});

test('a draft is visible and stays a draft until Enter', async () => {
  const agent = await start();
  await agent.until('ready', isReady);
  await agent.paste('half typed\nsecond line');
  expect(await agent.until('draft', (screen) => draft(screen) || null)).toBe('half typed⏎second line');
  await agent.keys('C-u');
  await agent.until('empty composer', (screen) => draft(screen) === '');
});

test('swallow-enter: the submit key is ignored as often as ordered, the draft stays', async () => {
  order('swallow-enter', { count: 2 });
  const agent = await start();
  await prime(agent);
  await agent.keys('Enter');
  await agent.until('draft', (screen) => (draft(screen) ?? '').includes('gt prime') || null);
  await agent.keys('Enter');
  await agent.until('submitted', shows('Primed.'));
});

test('stall: it stops touching, and goes on after the ordered number of lines', async () => {
  order('stall', { count: 2 });
  const agent = await start();
  putHook('pending');
  await prime(agent);
  await agent.until('first line shown', shows('> Run '));
  expect(isBusy(await agent.screen())).toBe(false);
  await agent.paste('are you there? gt reply "…"');
  await agent.keys('Enter');
  await agent.until('replied', () => calls().some((call) => call.startsWith('reply ')));
  putHook('pending', 'gt-abc13');
  await agent.until('done', shows('gt-abc13 is done.'));
});

test('ask: the question is on the screen and in gt; an answer lets it go on', async () => {
  const agent = await start();
  await agent.until('ready', isReady);
  order('ask', { text: 'Which door?' });
  await agent.until('question', shows('Question: Which door?'));
  await agent.until('gt', () => calls().includes('ask Which door?'));
  await agent.paste('the left one');
  await agent.keys('Enter');
  await agent.until('answer', shows('Understood.'));
});

test('dialog: it blocks input until a digit answers it', async () => {
  order('dialog');
  const agent = await start();
  const [mark] = descriptor.screen.dialogs;
  await agent.until('dialog', (screen) => mark?.text.every((part) => part.test(text(screen))));
  expect(isReady(await agent.screen())).toBe(false);
  await agent.keys('x', 'Enter', '1');
  await agent.until('ready', isReady);
  await agent.until('an empty composer', (screen) => draft(screen) === '');
});

test('limit: the banner tells when it resets, and it does', async () => {
  const agent = await start();
  await agent.until('ready', isReady);
  order('limit', { seconds: 40 });
  const until = await agent.until(
    'banner',
    (screen) => descriptor.screen.limits[0]?.text.exec(text(screen))?.groups?.['time'],
  );
  expect(Number.isNaN(Date.parse(until))).toBe(false);
  await agent.until('reset', shows('The usage limit is reset.'));
});

test('crash: exit code 7, and a later start does not crash again by the old order', async () => {
  const agent = await start();
  await agent.until('ready', isReady);
  order('crash');
  expect(await agent.ended()).toBe(7);
  await agent.close();
  rmSync(join(folder, 'pane'), { recursive: true });
  mkdirSync(join(folder, 'pane'));
  const again = await start();
  await again.until('ready', isReady);
});

test('work that is taken away meanwhile is not finished', async () => {
  const agent = await start('1', ['--work-ms', '5000']);
  putHook('pending');
  await prime(agent);
  await agent.until('busy', isBusy);
  putHook('empty');
  await agent.until('stopped', shows('was taken off my hook. I stop.'));
  expect(calls()).not.toContain('done');
});
