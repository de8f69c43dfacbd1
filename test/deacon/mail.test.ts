/** Mail: every kind by its prefix, limits, refusals, and what is put away when. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isForArchive, mailKindOf, mailKinds } from '../../src/domain/mail.ts';
import { toIso } from '../../src/domain/time.ts';
import { openTown, type Town } from '../../src/town/context.ts';
import { acknowledge, listEscalations, openEscalation } from '../../src/town/deacon/escalations.ts';
import { pause, resume } from '../../src/town/deacon/gates.ts';
import { acceptProposal, proposals, rejectProposal } from '../../src/town/deacon/learning.ts';
import { archiveMail, markMailRead, operatorMail, readMailbox, sendMail } from '../../src/town/deacon/mail.ts';
import { appendSample, readSamples } from '../../src/town/deacon/samples.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

let scratch: ScratchTown;
let town: Town;
let now = Date.UTC(2026, 5, 1);
beforeEach(async () => {
  now = Date.UTC(2026, 5, 1);
  scratch = scratchTown({ git: false });
  town = await openTown({ cwd: scratch.root, env: scratch.env, clock: () => now });
});
afterEach(() => scratch.stop());

describe('mail', () => {
  test.each(Object.keys(mailKinds))('%s is known by its prefix', (kind) => {
    expect(mailKindOf(`${kind}: something`)).toBe(kind);
  });

  test('free text is coordination; a foreign word in capitals is free text', () => {
    expect(mailKindOf('hello')).toBeNull();
    expect(mailKindOf('CONSTRUCTOR: x')).toBeNull();
    expect(mailKindOf('__PROTO__: x')).toBeNull();
  });

  test('type and urgency follow from the prefix; control characters are gone; body and payload agree', () => {
    const mail = sendMail(town, {
      from: 'deacon',
      to: 'mayor',
      body: 'HUMAN_ESCALATION: gt-1\u001b[31m\u0003 help\r\nline two',
    });
    expect(mail).toMatchObject({
      type: 'health_escalation',
      priority: 'urgent',
      channel: 'mail',
      durable: true,
      read: false,
    });
    expect(mail.body).toBe('HUMAN_ESCALATION: gt-1[31m help\nline two');
    expect(mail.payload).toBe(mail.body);
    expect(mail.subject).toBe('HUMAN_ESCALATION: gt-1[31m help');
  });

  test.each([
    ['to nobody', { to: 'polecat-zulu', body: 'x' }, /nobody here is called "polecat-zulu"/],
    ['to an empty name', { to: '', body: 'x' }, /nobody here/],
    ['out of its folder', { to: '../hooks', body: 'x' }, /nobody here/],
    ['of 10 MB', { to: 'mayor', body: 'x'.repeat(10_000_000) }, /at most 64 KiB/],
    ['without a word', { to: 'mayor', body: ' \u0000\n ' }, /needs words/],
  ])('%s: exit 1 and nothing written', (_what, letter, message) => {
    expect(() => sendMail(town, { from: 'operator', ...letter })).toThrow(message);
    expect(town.store.mail.mailboxes()).toEqual([]);
  });

  test('two messages of one sender in one millisecond are two', () => {
    for (let index = 0; index < 50; index += 1) sendMail(town, { from: 'deacon', to: 'mayor', body: `note ${index}` });
    expect(readMailbox(town, 'mayor').mail).toHaveLength(50);
  });

  test('put away after a day, read or not; an urgent one never before it was read', async () => {
    sendMail(town, { from: 'polecat-alpha', to: 'mayor', body: 'DONE: gt-1' });
    const urgent = sendMail(town, { from: 'deacon', to: 'mayor', body: 'HUMAN_ESCALATION: gt-2' });
    now += 24 * 3_600_000;
    expect(await archiveMail(town)).toBe(0);
    now += 1;
    expect(await archiveMail(town)).toBe(1);
    expect(readMailbox(town, 'mayor').mail.map(({ id }) => id)).toEqual([urgent.id]);
    await markMailRead(town, urgent.id);
    expect(await archiveMail(town)).toBe(1);
    expect(readMailbox(town, 'mayor', 'archive').mail).toHaveLength(2);
    expect(isForArchive({ priority: 'low', read: true }, null, now)).toBe(false);
  });

  test('a message nobody can read is told and left; the others are listed newest first', async () => {
    sendMail(town, { from: 'deacon', to: 'witness', body: 'STALL_ALERT: one' });
    now += 5;
    sendMail(town, { from: 'witness', to: 'mayor', body: 'STALL_WARNING: two' });
    mkdirSync(join(scratch.stateDir, 'mail/mayor'), { recursive: true });
    writeFileSync(join(scratch.stateDir, 'mail/mayor/20260601-x-1.json'), '{');
    expect(operatorMail(town).map(({ body }) => body)).toEqual(['STALL_WARNING: two', 'STALL_ALERT: one']);
    expect(readMailbox(town, 'mayor').corrupt).toHaveLength(1);
    await expect(markMailRead(town, 'no-such-message')).rejects.toMatchObject({ exit: 3 });
  });
});

describe('escalations and gates', () => {
  const draft = {
    escalation_id: 'esc-gt-1-1',
    kind: 'human_escalation' as const,
    agent_id: 'polecat-alpha',
    bead_id: 'gt-1',
    message: 'HUMAN_ESCALATION: gt-1 has stalled 3 times. Automated recovery exhausted. Requires human intervention.',
  };

  test('opened once whoever tries again, mailed by the witness, sticky until acknowledged', async () => {
    expect(await openEscalation(town, draft)).toBe(true);
    expect(await openEscalation(town, draft)).toBe(false);
    expect(operatorMail(town)).toMatchObject([{ from: 'witness', to: 'mayor', payload: draft.message, durable: true }]);
    expect(listEscalations(town)).toMatchObject([{ acknowledged_at: null }]);
    expect(await acknowledge(town, draft.escalation_id)).toBe('esc-gt-1-1 is acknowledged');
    expect(await acknowledge(town, draft.escalation_id)).toBe('esc-gt-1-1 was acknowledged already');
    expect(await openEscalation(town, draft)).toBe(false);
    await expect(acknowledge(town, 'esc-gt-9-1')).rejects.toMatchObject({ exit: 3 });
  });

  test('a gate opens once and closes; an emergency stop is ended by thaw alone', async () => {
    expect(await pause(town, 'polecat-alpha', 'lunch')).toMatch(/is paused/);
    expect(await pause(town, 'polecat-alpha', 'more')).toMatch(/paused already \(paused: lunch\)/);
    expect(await resume(town, 'polecat-alpha')).toBe('polecat-alpha goes on');
    expect(await resume(town, 'polecat-alpha')).toBe('polecat-alpha is not paused');
    await expect(pause(town, '../x', '')).rejects.toMatchObject({ exit: 1 });
    await expect(pause(town, 'polecat-zulu', '')).rejects.toMatchObject({ exit: 1 });
    await pause(town, 'town', 'fire', 'estop');
    await expect(resume(town, 'town')).rejects.toMatchObject({ exit: 5 });
  });
});

describe('learning on disk', () => {
  const nudges = (count: number, effective: number) => {
    for (let index = 0; index < count; index += 1) {
      appendSample(town, {
        at: toIso(now),
        agent_id: 'polecat-alpha',
        runtime: 'sim',
        bead_id: null,
        metric: 'nudge',
        nudge_id: `n-${index}`,
        effective: index < effective,
      });
    }
  };
  const stalls = () => {
    const about = { at: toIso(now), agent_id: 'polecat-alpha', runtime: 'sim', bead_id: null };
    appendSample(town, { ...about, metric: 'session', session: 's-1' });
    for (let index = 0; index < 3; index += 1) appendSample(town, { ...about, metric: 'stall' });
  };

  test('accepting edits the file, comments kept; what was measured before the change says nothing more', async () => {
    scratch.write('gastown.yaml', '# ours\nagents:\n  - {name: polecat, runtime: sim, count: 2} # two\n');
    stalls();
    nudges(10, 2);
    const [open] = await proposals(town);
    expect(open).toMatchObject({ proposal_id: 'threshold-tuning-sim-375', status: 'open' });
    expect(await acceptProposal(town, 'threshold-tuning-sim-375')).toMatch(/300 → 375 is in gastown.yaml/);
    expect(scratch.read('gastown.yaml')).toMatch(/# ours[\s\S]*# two[\s\S]*stall_detection: 375/);
    expect((await proposals(town)).map(({ status }) => status)).toEqual(['accepted']);
    await expect(acceptProposal(town, 'threshold-tuning-sim-375')).rejects.toMatchObject({ exit: 5 });
  });

  test('nothing changes by itself, and a rejected proposal does not come again', async () => {
    const before = scratch.read('gastown.yaml');
    stalls();
    nudges(10, 2);
    await proposals(town);
    expect(await rejectProposal(town, 'threshold-tuning-sim-375')).toMatch(/rejected/);
    expect((await proposals(town)).map(({ status }) => status)).toEqual(['rejected']);
    expect(scratch.read('gastown.yaml')).toBe(before);
    await expect(acceptProposal(town, 'no-such')).rejects.toMatchObject({ exit: 3 });
  });

  test('torn lines are counted, samples outside the window are not', () => {
    nudges(2, 1);
    writeFileSync(town.store.paths.samples, 'torn {\n', { flag: 'a' });
    expect(readSamples(town, now)).toMatchObject({ samples: { length: 2 }, torn: 1 });
    expect(readSamples(town, now + 8 * 24 * 3_600_000).samples).toEqual([]);
  });
});
