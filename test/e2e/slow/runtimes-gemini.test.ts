import { afterEach, expect, test } from 'vitest';
import { type Lab, openLab } from '../../support/real-runtimes/lab.ts';
import { busyOn, dialogOn, draftOn, readyOn, shows } from '../../support/real-runtimes/marks.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

const id = '11111111-2222-4333-8444-555555555555';
const narrow = { columns: 50, rows: 20 };
let lab: Lab | undefined;
afterEach(async () => {
  await lab?.close();
  lab = undefined;
});

async function open(...options: Parameters<typeof openLab> extends [unknown, ...infer Rest] ? Rest : never) {
  lab = await openLab('gemini', ...options);
  return { lab, marks: lab.runtime.descriptor.screen };
}

test('the preamble goes by -i with its lines; gt runs unasked, anything else is asked for', async () => {
  const { lab, marks } = await open();
  await lab.model.load({
    turns: [shellTurn('gemini', `${lab.gt} hook start`), shellTurn('gemini', 'echo other > x'), { text: 'THE-END' }],
  });
  const pane = await lab.start({ session_id: id, firstPrompt: '# Prime\nline two' });
  await pane.until('permission', (screen) => dialogOn(screen, marks) === 'permission');
  expect(lab.calls()).toEqual(['hook start']);
  expect(readyOn(await pane.screen(), marks)).toBe(false);
  await pane.answer('Enter', (screen) => dialogOn(screen, marks) !== 'permission');
  await pane.until('the end of the turn', (screen) => shows('THE-END')(screen) && readyOn(screen, marks));
  const [first] = await lab.model.turns();
  expect(JSON.stringify(first?.body)).toContain('# Prime\\nline two');
});

test('ready, draft and busy by title and screen; resume by id; exit 0, and 42 for a session that is not there', async () => {
  const { lab, marks } = await open({
    scenario: { turns: [{ text: 'FIRST-ANSWER', delay_ms: 4000 }, { text: 'SECOND-ANSWER' }] },
  });
  const pane = await lab.start({ session_id: id }, narrow);
  await pane.until('ready', (screen) => readyOn(screen, marks) && draftOn(screen, marks) === '');
  expect(await lab.runtime.findSession(id, { HOME: lab.home })).toBe('no');
  await pane.paste('half typed');
  await pane.until('draft', (screen) => draftOn(screen, marks) === 'half typed');
  expect((await lab.deliver(pane, 'not into a draft')).kind).toBe('queued');
  await pane.keys('C-u');
  await pane.until('empty', (screen) => draftOn(screen, marks) === '');
  expect(await lab.deliver(pane, 'one\ntwo')).toEqual({ kind: 'verified', proof: 'composer' });
  await pane.until('busy', (screen) => busyOn(screen, marks) && !readyOn(screen, marks));
  await pane.until('answer', (screen) => shows('FIRST-ANSWER')(screen) && readyOn(screen, marks));
  await lab.deliver(pane, '/quit');
  expect(await pane.ended()).toBe(0);
  expect(await lab.runtime.findSession(id, { HOME: lab.home })).toBe('yes');
  const second = await lab.start({ resume: id, firstPrompt: 'go on' });
  await second.until('history and answer', (screen) => shows('FIRST-ANSWER')(screen) && shows('SECOND-ANSWER')(screen));
  const third = await lab.start({ resume: '11111111-2222-4333-8444-666666666666' });
  const code = await third.ended();
  expect(lab.runtime.descriptor.exitCodes[code]).toBe('no such session');
});

test('field report 40: an untrusted folder is a dialog, though the title says ready', async () => {
  const { lab, marks } = await open({ seed: { untrusted: true } });
  const pane = await lab.start({}, narrow);
  await pane.until('trust dialog', (screen) => dialogOn(screen, marks) === 'trust');
  expect(readyOn(await pane.screen(), marks)).toBe(false);
});
