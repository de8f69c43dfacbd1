/** `gastown handoff write|show|lint|install`, as people and agents call them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { gastown } from '../support/in-process.ts';
import { Fixture, runProcess, usualHandoff } from './fixture.ts';

// Generous: on a busy machine a case of many processes takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const made: Fixture[] = [];
afterEach(() => {
  for (const fixture of made.splice(0)) fixture.remove();
});

function fresh(): {
  fixture: Fixture;
  call: (words: string[], input?: string, env?: Record<string, string>) => ReturnType<typeof gastown>;
} {
  const fixture = new Fixture();
  made.push(fixture);
  const town = { root: fixture.tree, env: { PATH: process.env['PATH'], HOME: fixture.base } };
  return { fixture, call: (words, input = '', env = {}) => gastown(town, words, { input, env }) };
}

const hookOf = (fixture: Fixture): string => readFileSync(fixture.hook, 'utf8');

describe('handoff write', () => {
  test('field report 49: without any flag it writes a valid minimal handoff, which can be dissolved', async () => {
    const { fixture, call } = fresh();
    expect(await call(['handoff', 'write'])).toMatchObject({ code: 0, err: '' });
    expect(hookOf(fixture)).toMatch(
      /^# Cycle 001 handoff — human on main\n\n- written: \d{4}-.*Z by human\n- branch: "main"\n/,
    );
    expect((await call(['handoff', 'lint'])).out).toBe('nothing to say against it\n');
    expect(await call(['dissolve', '--cycle', '1'])).toMatchObject({ code: 0 });
  });

  test('never over an armed one, whatever that is (seed 002)', async () => {
    const { fixture, call } = fresh();
    fixture.arm();
    const refused = await call(['handoff', 'write', '--title', 'mine'], 'text');
    expect(refused).toMatchObject({ code: 5, out: '' });
    expect(refused.err).toContain('a handoff is armed');
    // The path of the scratch folder has digits of its own.
    expect(refused.err.replace(/\/\S+/g, '')).not.toContain('34');
    expect(hookOf(fixture)).toBe(usualHandoff);
    const other = fresh();
    mkdirSync(other.fixture.hook);
    expect((await other.call(['handoff', 'write'])).code).toBe(5);
  });

  test('superseding needs the same proof as dissolving, and archives the old one as superseded', async () => {
    const { fixture, call } = fresh();
    fixture.arm();
    const wrong = await call(['handoff', 'write', '--supersede-cycle', '35']);
    expect(wrong).toMatchObject({ code: 3, out: '' });
    expect(wrong.err).not.toMatch(/\d/);
    expect((await call(['handoff', 'write', '--supersede-cycle', '0x22'])).code).toBe(1);
    expect(hookOf(fixture)).toBe(usualHandoff);

    const right = await call(
      ['handoff', 'write', '--supersede-cycle', '34', '--title', 'next', '--file', '-', '--json'],
      'all\n',
    );
    expect(right.code).toBe(0);
    const { superseded } = JSON.parse(right.out) as { superseded: string };
    expect(readFileSync(fixture.path(superseded), 'utf8')).toBe(usualHandoff);
    expect(hookOf(fixture)).toMatch(/^# Cycle 035 handoff — next\n[\s\S]*\nall\n$/);
    expect(readFileSync(fixture.path('cycles', 'ledger.ndjson'), 'utf8')).toContain('"event":"superseded"');
    expect(fixture.leftovers()).toEqual([]);
  });

  test('A73 a dissolution and a superseding writer: each handoff is archived once or armed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { fixture, call } = fresh();
      fixture.arm();
      const codes = await Promise.all([
        call(['handoff', 'write', '--supersede-cycle', '34', '--title', 'next']),
        runProcess('dash', [fixture.script, '--cycle', '34'], {
          cwd: fixture.tree,
          env: { PATH: process.env['PATH'] ?? '' },
        }),
      ]);
      const archived = fixture
        .archives()
        .filter((name) => readFileSync(fixture.path('cycles', name), 'utf8') === usualHandoff);
      expect(archived, codes.map(({ err }) => err).join()).toHaveLength(1);
      const armed = existsSync(fixture.hook) ? hookOf(fixture) : null;
      if (codes[0].code === 0) expect(armed).toContain('next');
      else expect(armed).toBeNull();
      expect(fixture.leftovers()).toEqual([]);
    }
  });

  test('the cycle is greater than every archived one, and a body that says otherwise is refused', async () => {
    const { fixture, call } = fresh();
    mkdirSync(fixture.path('cycles'));
    writeFileSync(fixture.path('cycles', 'cycle-041_20260101T000000Z_0123abcd.md'), '');
    writeFileSync(fixture.path('cycles', 'cycle-9_20260101T000000Z_0123abcd.md'), '');
    const low = await call(['handoff', 'write', '--file', '-'], '# Cycle 41 handoff\nbody\n');
    expect(low.code).toBe(3);
    expect(existsSync(fixture.hook)).toBe(false);
    expect((await call(['handoff', 'write', '--file', '-'], '# Cycle 50 handoff\nbody\n')).code).toBe(0);
    expect(hookOf(fixture)).toBe('# Cycle 50 handoff\nbody\n');
  });

  test('field report 49: the real session id is filled in, not the one a model copied', async () => {
    const { fixture, call } = fresh();
    const stateDir = fixture.path('.chipset', 'state');
    mkdirSync(join(stateDir, 'agents'), { recursive: true });
    const record = { agent_id: 'crew-me', role: 'crew', worktree: null, session_id: '7f3c-real' };
    writeFileSync(join(stateDir, 'agents', 'crew-me.json'), JSON.stringify(record));
    const env = { GT_AGENT_ID: 'crew-me', GT_STATE_DIR: stateDir };
    const body = 'session_id: current\n\nThe parser is open.\n';
    expect((await call(['handoff', 'write', '--file', '-'], body, env)).code).toBe(0);
    expect(hookOf(fixture)).toContain('session_id: 7f3c-real\n');
    expect(hookOf(fixture)).toContain('by crew-me, session 7f3c-real');
    const other = fresh();
    expect((await other.call(['handoff', 'write', '--file', '-'], 'session_id: current\ntext\n')).code).toBe(3);
    expect((await other.call(['handoff', 'write', '--file', '-'], ' \n')).code).toBe(3);
    expect((await other.call(['handoff', 'write', '--file', '-'], '- open: TODO\n\0')).code).toBe(3);
    expect(existsSync(other.fixture.hook)).toBe(false);
  });
});

describe('handoff show and lint', () => {
  test('show prints the text with hidden characters made visible, and exit 3 where nothing is armed', async () => {
    const { fixture, call } = fresh();
    expect(await call(['handoff', 'show'])).toMatchObject({ code: 3, out: '' });
    fixture.arm('# Cycle 034 handoff\n\u001b]0;owned\u0007\t\u202egnp\u200b\n');
    const shown = await call(['handoff', 'show']);
    expect(shown.code).toBe(0);
    expect(shown.out).toContain('␛]0;owned␇    ‹202e›gnp‹200b›');
    expect(shown.out).not.toMatch(/[\u001b\u0007\u202e\u200b]/);
    expect(JSON.parse((await call(['handoff', 'show', '--json'])).out)).toMatchObject({
      armed: true,
      tree: fixture.tree,
    });
  });

  const faults: [string, string | Buffer, number, RegExp][] = [
    ['empty', '', 3, /no content/],
    ['white space', ' \n\t\n', 3, /no content/],
    ['front matter first', '---\nsession_id: 7f\n---\n# Cycle 1 handoff\nx\n', 3, /front matter/],
    ['front matter that is not closed', '---\nsession_id: 7f\nx\n', 3, /front matter/],
    ['a placeholder id', '# Cycle 1 handoff\nsession_id: current\nx\n', 3, /placeholders/],
    ['CRLF and a byte order mark', '\ufeff# Cycle 1 handoff\r\nx\r\n', 3, /byte order mark/],
    ['binary', Buffer.from([0x23, 0x00, 0xff]), 3, /not plain UTF-8/],
    ['2 MB', 'x'.repeat(2_000_000), 3, /larger/],
    ['a conflict', '<<<<<<< HEAD\n# Cycle 1 handoff\n', 3, /merge conflict/],
    ['only headings', '# Cycle 1 handoff\n## Open\n\n## Signed\n', 0, /says nothing/],
    ['a second declaration', '# Cycle 1 handoff\n# Cycle 2 handoff\nx\n', 0, /only the first line counts/],
    ['an open fence', '# Cycle 1 handoff\n```\nx\n', 0, /fence/],
    ['escape codes', '# Cycle 1 handoff\n\u001b[31mx\n', 0, /control characters/],
  ];
  for (const [what, content, code, says] of faults) {
    test(`field report 49: lint names ${what}`, async () => {
      const { fixture, call } = fresh();
      fixture.arm(content);
      const linted = await call(['handoff', 'lint']);
      expect(linted.code).toBe(code);
      expect(linted.out).toMatch(says);
    });
  }

  test('field report 49: a missing file is exit 3, a directory or a link exit 4', async () => {
    const { fixture, call } = fresh();
    expect((await call(['handoff', 'lint'])).code).toBe(3);
    mkdirSync(fixture.hook);
    expect((await call(['handoff', 'lint'])).code).toBe(4);
    expect((await call(['handoff', 'lint', 'bin/dissolve_hook.sh'])).code).toBe(3);
  });
});

describe('handoff install', () => {
  test('writes scripts, tests, SessionStart entry and instructions, again without change, and they pass', async () => {
    const { fixture, call } = fresh();
    mkdirSync(fixture.path('.claude'));
    writeFileSync(
      fixture.path('.claude', 'settings.json'),
      '{"model": "x", "hooks": {"SessionStart": [{"hooks": []}]}}',
    );
    writeFileSync(fixture.path('CLAUDE.md'), '# Ours\n');
    const dry = await call(['handoff', 'install', '--dry-run']);
    expect(dry.code).toBe(0);
    expect(existsSync(fixture.path('AGENTS.md'))).toBe(false);

    expect((await call(['handoff', 'install'])).code).toBe(0);
    const settings = JSON.parse(readFileSync(fixture.path('.claude', 'settings.json'), 'utf8'));
    expect(settings).toMatchObject({ model: 'x' });
    expect(settings.hooks.SessionStart).toHaveLength(2);
    expect(JSON.stringify(settings)).toContain('bin/inject_hook.sh');
    expect(readFileSync(fixture.path('CLAUDE.md'), 'utf8')).toMatch(
      /^# Ours\n\n<!-- handoff instructions: begin -->\n/,
    );
    expect(readFileSync(fixture.path('AGENTS.md'), 'utf8')).toContain('Only then dissolve it');

    const again = JSON.parse((await call(['handoff', 'install', '--json'])).out) as { steps: { did: string }[] };
    expect(again.steps.map(({ did }) => did)).toEqual(Array(6).fill('unchanged'));

    for (const shell of ['dash', 'bash']) {
      const env = { PATH: process.env['PATH'] ?? '' };
      const tested = await runProcess(shell, [fixture.path('tests', 'test_dissolve_hook.sh'), shell], {
        cwd: fixture.tree,
        env,
      });
      expect(tested).toMatchObject({ code: 0, err: '' });
      expect(tested.out.match(/^ok /gm)).toHaveLength(10);
    }
  });

  test('a script of that name with other content is never replaced unasked; settings that are no JSON stop it', async () => {
    const { fixture, call } = fresh();
    writeFileSync(fixture.script, '#!/bin/sh\n# mine\n');
    expect(await call(['handoff', 'install'])).toMatchObject({ code: 5, out: '' });
    expect(readFileSync(fixture.script, 'utf8')).toContain('mine');
    expect(existsSync(fixture.path('AGENTS.md'))).toBe(false);
    expect((await call(['handoff', 'install', '--replace'])).code).toBe(0);
    const other = fresh();
    mkdirSync(other.fixture.path('.claude'));
    writeFileSync(other.fixture.path('.claude', 'settings.json'), '{"hooks": ');
    expect((await other.call(['handoff', 'install'])).code).toBe(4);
    expect(existsSync(other.fixture.path('AGENTS.md'))).toBe(false);
  });
});
