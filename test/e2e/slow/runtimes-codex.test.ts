import { afterEach, expect, test } from 'vitest';
import { primeLine } from '../../../src/domain/prime.ts';
import { runtimeOf } from '../../../src/runtimes/registry.ts';
import { type Lab, openLab } from '../../support/real-runtimes/lab.ts';
import { busyOn, dialogOn, draftOn, readyOn, shows } from '../../support/real-runtimes/marks.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

const narrow = { columns: 46, rows: 16 };
let lab: Lab | undefined;
afterEach(async () => {
  await lab?.close();
  lab = undefined;
});

async function open(...options: Parameters<typeof openLab> extends [unknown, ...infer Rest] ? Rest : never) {
  lab = await openLab('codex', ...options);
  return { lab, marks: lab.runtime.descriptor.screen };
}

test('startup_fallback: the prime line is typed once it is ready, and gt may write the state from inside the sandbox', async () => {
  const { lab, marks } = await open();
  await lab.model.load({
    turns: [
      shellTurn('codex', `${lab.gt} prime`),
      shellTurn('codex', 'touch "$GT_STATE_DIR/written" && echo STATE-WRITTEN'),
      { text: 'THE-END' },
    ],
  });
  const pane = await lab.start({ firstPrompt: primeLine(lab.gt) }, narrow);
  await pane.until('ready', (screen) => readyOn(screen, marks) && draftOn(screen, marks) === '');
  expect(lab.calls()).toEqual([]);
  expect(await lab.deliver(pane, primeLine(lab.gt))).toEqual({ kind: 'verified', proof: 'composer' });
  await pane.until('the end of the turn', (screen) => shows('THE-END')(screen) && !busyOn(screen, marks));
  expect(lab.calls()).toEqual(['prime']);
  const turns = await lab.model.turns();
  expect(JSON.stringify(turns[0]?.body)).toContain(`Run \\"${lab.gt} prime\\" now`);
  expect(JSON.stringify(turns[1]?.body)).toContain('GT-RAN prime');
  expect(JSON.stringify(turns[2]?.body)).toContain('STATE-WRITTEN');
});

test('busy and permission are told apart; the newest session of a tree is found and resumed by its id; exit 0', async () => {
  const { lab, marks } = await open({
    scenario: {
      turns: [
        { text: 'FIRST-ANSWER', delay_ms: 3000 },
        {
          text: 'x',
          tool: 'exec_command',
          args: { cmd: 'true', sandbox_permissions: 'require_escalated', justification: 'need it' },
        },
        { text: 'SECOND-ANSWER' },
        { text: 'THIRD-ANSWER' },
      ],
    },
  });
  const first = await lab.start({ strategy: 'prompt_preamble', firstPrompt: 'one\ntwo' });
  await first.until('busy', (screen) => busyOn(screen, marks));
  await first.until(
    'answer',
    (screen) => shows('FIRST-ANSWER')(screen) && !busyOn(screen, marks) && readyOn(screen, marks),
  );
  await lab.deliver(first, 'more');
  await first.until('permission', (screen) => dialogOn(screen, marks) === 'permission');
  expect((await lab.deliver(first, 'not into a dialog')).kind).toBe('queued');
  await first.answer('Enter', (screen) => dialogOn(screen, marks) !== 'permission');
  await first.until('answer', (screen) => shows('SECOND-ANSWER')(screen) && readyOn(screen, marks));
  await lab.deliver(first, '/quit');
  expect(await first.ended()).toBe(0);

  const latest = (since: number) => lab.runtime.latestSession(lab.cwd, since, { HOME: lab.home });
  const id = await latest(0);
  expect(await lab.runtime.findSession(id ?? '', { HOME: lab.home })).toBe('yes');
  expect(await latest(Date.now() + 60_000)).toBeNull();
  expect(await lab.runtime.latestSession(lab.root, 0, { HOME: lab.home })).toBeNull();
  const second = await lab.start({ resume: id, strategy: 'prompt_preamble', firstPrompt: 'go on' });
  await second.until('history and answer', (screen) => shows('SECOND-ANSWER')(screen) && shows('THIRD-ANSWER')(screen));
  await second.close();
  const missing = '11111111-2222-4333-8444-666666666666';
  expect(await lab.runtime.findSession(missing, { HOME: lab.home })).toBe('no');
  const third = await lab.start({ resume: missing });
  expect(await third.ended()).toBe(1);
});

test('field report 40: an untrusted folder is a dialog, no ready screen', async () => {
  const { lab, marks } = await open({ seed: { untrusted: true } });
  const pane = await lab.start({}, narrow);
  await pane.until('trust dialog', (screen) => dialogOn(screen, marks) === 'trust');
  expect(readyOn(await pane.screen(), marks)).toBe(false);
});

test('field report 40: untrusted hooks are a dialog; approved ones call gt-event', async () => {
  const settings = runtimeOf('codex').eventSettings?.({ home: '/home', tree: '/', gtEvent: '' });
  const codexHooks = JSON.parse(settings?.text ?? '');
  const { lab, marks } = await open({ seed: { codexHooks }, scenario: { turns: [{ text: 'THE-END' }] } });
  const pane = await lab.start({ strategy: 'prompt_preamble', firstPrompt: 'Begin.' });
  await pane.until('the end of the turn', (screen) => shows('THE-END')(screen) && readyOn(screen, marks));
  await pane.until('stop event', () => lab.events().includes('Stop'));
  expect(lab.events()).toEqual(expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'Stop']));
  await lab.close();

  const changed = {
    hooks: { ...codexHooks.hooks, Stop: [{ hooks: [{ type: 'command', command: 'true', timeout: 9 }] }] },
  };
  const again = await open({ seed: { codexHooks } });
  const { writeFileSync } = await import('node:fs');
  writeFileSync(`${again.lab.home}/.codex/hooks.json`, JSON.stringify(changed));
  const untrusted = await again.lab.start({});
  await untrusted.until('review', (screen) => dialogOn(screen, marks) === 'hook-trust');
  expect(readyOn(await untrusted.screen(), marks)).toBe(false);
});

test('read-only mode starts', async () => {
  const { lab, marks } = await open();
  const pane = await lab.start({ permissions: 'plan' });
  await pane.until('ready', (screen) => readyOn(screen, marks));
  expect(pane.exitCode()).toBeNull();
});
