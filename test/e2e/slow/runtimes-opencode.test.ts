import { afterEach, expect, test } from 'vitest';
import { type Lab, openLab } from '../../support/real-runtimes/lab.ts';
import { busyOn, draftOn, readyOn, shows } from '../../support/real-runtimes/marks.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

let lab: Lab | undefined;
afterEach(async () => {
  await lab?.close();
  lab = undefined;
});

test('the preamble goes by --prompt; gt runs; draft, busy, resume and exit', { timeout: 900_000 }, async () => {
  lab = await openLab('opencode');
  const marks = lab.runtime.descriptor.screen;
  await lab.model.load({
    turns: [
      shellTurn('opencode', `${lab.gt} hook start`),
      { text: 'THE-END', delay_ms: 3000 },
      { text: 'SECOND-ANSWER' },
    ],
  });
  const pane = await lab.start({ firstPrompt: '# Prime\nline two' });
  await pane.until('busy', (screen) => busyOn(screen, marks), 280);
  await pane.until(
    'the end of the turn',
    (screen) => shows('THE-END')(screen) && readyOn(screen, marks) && !busyOn(screen, marks),
    280,
  );
  expect(lab.calls()).toEqual(['hook start']);
  expect(JSON.stringify((await lab.model.turns())[0]?.body)).toContain('# Prime\\nline two');
  await pane.paste('half typed');
  await pane.until('draft', (screen) => draftOn(screen, marks) === 'half typed');
  await pane.keys('C-u');
  await pane.until('empty', (screen) => draftOn(screen, marks) === '');
  await lab.deliver(pane, '/exit');
  expect(await pane.ended(60)).toBe(0);
  // A resumed session takes no prompt from its arguments: it is typed.
  const again = await lab.start({ resume: 'latest', firstPrompt: 'go on' });
  await again.until(
    'history',
    (screen) => shows('THE-END')(screen) && readyOn(screen, marks) && !busyOn(screen, marks),
    280,
  );
  expect(await lab.deliver(again, 'go on')).toEqual({ kind: 'verified', proof: 'composer' });
  await again.until('answer', shows('SECOND-ANSWER'), 120);
});
