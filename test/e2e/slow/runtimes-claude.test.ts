import { afterEach, expect, test } from 'vitest';
import { type Lab, openLab, primeMark } from '../../support/real-runtimes/lab.ts';
import { busyOn, dialogOn, draftOn, readyOn, shows } from '../../support/real-runtimes/marks.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

const id = '11111111-2222-4333-8444-555555555555';
const narrow = { columns: 46, rows: 16 };
let lab: Lab | undefined;
afterEach(async () => {
  await lab?.close();
  lab = undefined;
});

async function open(...options: Parameters<typeof openLab> extends [unknown, ...infer Rest] ? Rest : never) {
  lab = await openLab('claude', ...options);
  return { lab, marks: lab.runtime.descriptor.screen };
}

test('hook_injection: the SessionStart event speaks before the first prompt, which goes by argument; a tree below a trusted one is trusted', async () => {
  const { lab, marks } = await open();
  const gtWords = 'done --failed "no door"';
  await lab.model.load({
    turns: [
      shellTurn('claude', `${lab.gt} hook start`),
      shellTurn('claude', `${lab.gt} ${gtWords}`),
      { text: 'THE-END' },
    ],
  });
  const pane = await lab.start({ session_id: id, permissions: 'auto-edit', firstPrompt: 'Begin\nnow.' });
  await pane.until(
    'the end of the turn',
    (screen) => shows('THE-END')(screen) && readyOn(screen, marks) && !busyOn(screen, marks),
  );
  // Neither call of gt asked for permission, though the mode asks for shell commands (decision 13).
  expect(lab.calls()).toEqual(['hook start', 'done --failed no door']);
  const [first] = await lab.model.turns();
  expect(JSON.stringify(first?.body)).toContain(primeMark);
  expect(JSON.stringify(first?.body)).toContain('Begin\\nnow.');
  await pane.until('stop event', () => lab.events().includes('Stop'));
  expect(lab.events()[0]).toBe('SessionStart');
  expect(lab.events()).toContain('PreToolUse Bash');
  expect(lab.events()).not.toContain('PermissionRequest');
  expect(await lab.runtime.findSession(id, { HOME: lab.home })).toBe('yes');
});

test('idle start: ready, draft, busy and submitted can be told apart, also in a narrow pane', async () => {
  const { lab, marks } = await open({ scenario: { turns: [{ text: 'SLOW-ANSWER', delay_ms: 4000 }] } });
  const pane = await lab.start({ session_id: id }, narrow);
  await pane.until('ready', (screen) => readyOn(screen, marks));
  expect(draftOn(await pane.screen(), marks)).toBe('');
  await pane.paste('half typed');
  await pane.until('draft', (screen) => draftOn(screen, marks) === 'half typed');
  expect((await lab.deliver(pane, 'not into a draft')).kind).toBe('queued');
  await pane.keys('C-u');
  await pane.until('empty', (screen) => draftOn(screen, marks) === '');
  expect(await lab.deliver(pane, 'say something\nin two lines\n', 'UserPromptSubmit')).toEqual({
    kind: 'verified',
    proof: 'event',
  });
  await pane.until('busy', (screen) => busyOn(screen, marks) && draftOn(screen, marks) === '');
  expect(lab.events()).toContain('UserPromptSubmit');
  await pane.until('answered', (screen) => shows('SLOW-ANSWER')(screen) && !busyOn(screen, marks));
  await lab.deliver(pane, lab.runtime.descriptor.exitCommand ?? '');
  expect(await pane.ended()).toBe(0);
});

test('resume: the same conversation goes on by its id; a session that is not there cannot be resumed and is known to be absent', async () => {
  const { lab, marks } = await open({ scenario: { turns: [{ text: 'FIRST-ANSWER' }, { text: 'SECOND-ANSWER' }] } });
  const first = await lab.start({ session_id: id, firstPrompt: 'one' });
  // The answer is on record once the turn has ended.
  await first.until('answer', (screen) => shows('FIRST-ANSWER')(screen) && lab.events().includes('Stop'));
  await first.close();
  const second = await lab.start({ resume: id, firstPrompt: 'two' });
  await second.until('both answers', (screen) => shows('FIRST-ANSWER')(screen) && shows('SECOND-ANSWER')(screen));
  await second.until('ready', (screen) => readyOn(screen, marks));
  const other = '11111111-2222-4333-8444-666666666666';
  expect(await lab.runtime.findSession(other, { HOME: lab.home })).toBe('no');
  const third = await lab.start({ resume: other });
  expect(await third.ended()).toBe(1);
});

test('field report 40 (kind): an untrusted folder shows the trust dialog, which is no ready screen and is not answered', async () => {
  const { lab, marks } = await open({ seed: { untrusted: true } });
  const pane = await lab.start({ firstPrompt: 'Begin.' }, narrow);
  await pane.until('trust dialog', (screen) => dialogOn(screen, marks) === 'trust');
  expect(readyOn(await pane.screen(), marks)).toBe(false);
  expect(lab.events()).toEqual([]);
});

test('a question, a plan and a permission are dialogs of their own, each with an event of its own', async () => {
  const question = {
    question: 'Which door?',
    header: 'Door',
    multiSelect: false,
    options: [
      { label: 'Left', description: 'l' },
      { label: 'Right', description: 'r' },
    ],
  };
  const { lab, marks } = await open({
    scenario: {
      turns: [
        { text: 'Asking.', tool: 'AskUserQuestion', args: { questions: [question] } },
        shellTurn('claude', 'curl -s http://127.0.0.1:1/'),
        { text: 'THE-END' },
      ],
    },
  });
  const pane = await lab.start({ permissions: 'auto-edit', firstPrompt: 'Begin.' }, narrow);
  await pane.until('question', (screen) => dialogOn(screen, marks) === 'question');
  expect(lab.events()).toContain('PreToolUse AskUserQuestion');
  expect(lab.events()).not.toContain('PreToolUse tool');
  await pane.answer('Enter', (screen) => dialogOn(screen, marks) !== 'question');
  await pane.until('permission', (screen) => dialogOn(screen, marks) === 'permission');
  expect(lab.events()).toContain('PostToolUse AskUserQuestion');
  await pane.answer('Enter', (screen) => dialogOn(screen, marks) !== 'permission');
  await pane.until('end', (screen) => shows('THE-END')(screen) && dialogOn(screen, marks) === undefined);

  await lab.model.load({ turns: [{ text: 'Plan.', tool: 'ExitPlanMode', args: { plan: 'do it' } }] });
  const planning = await lab.start({ permissions: 'plan', firstPrompt: 'Plan it.' });
  await planning.until('plan', (screen) => dialogOn(screen, marks) === 'plan');
});

test('a screen that only quotes a dialog is no dialog', async () => {
  const { lab, marks } = await open({
    scenario: {
      turns: [
        {
          text: 'Do you want to proceed?\n ❯ 1. Yes\nEnter to select\nQuick safety check: Is this a project you created or one you trust?',
        },
      ],
    },
  });
  const pane = await lab.start({ firstPrompt: 'Begin.' });
  await pane.until('quoted', (screen) => shows('one you trust?')(screen) && readyOn(screen, marks));
});
