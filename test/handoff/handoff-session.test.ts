/** Sessions of a town at the gate: their tries, their own trees, and the human whose acknowledgement may be required. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { wrongValue } from '../../src/domain/handoff-reader.ts';
import { visibleLines } from '../../src/domain/handoff-text.ts';
import { openStore } from '../../src/store/store.ts';
import { armedHandoffs } from '../../src/town/handoff/armed.ts';
import { dissolveByHuman, settleRequest } from '../../src/town/handoff/by-human.ts';
import { acknowledgeHandoff, dissolveWithValue, readHandoff } from '../../src/town/handoff/read.ts';
import { dissolveRequests, removeDissolveRequest } from '../../src/town/handoff/requests.ts';
import { Fixture, run, sha256, usualHandoff } from './fixture.ts';

// Generous: on a busy machine a case of many processes takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const made: Fixture[] = [];
afterEach(() => {
  for (const fixture of made.splice(0)) fixture.remove();
});

/** A tree with a town and the agent `alpha`. */
function town(
  role: string,
  worktree: string | null = null,
): { fixture: Fixture; stateDir: string; env: Record<string, string> } {
  const fixture = new Fixture();
  made.push(fixture);
  fixture.arm();
  const stateDir = fixture.path('.chipset', 'state');
  mkdirSync(join(stateDir, 'agents'), { recursive: true });
  const own = worktree === null ? null : fixture.path(worktree);
  writeFileSync(join(stateDir, 'agents', 'alpha.json'), JSON.stringify({ agent_id: 'alpha', role, worktree: own }));
  return { fixture, stateDir, env: { GT_AGENT_ID: 'alpha', GT_INSTANCE_ID: 'one', GT_STATE_DIR: stateDir } };
}

const node = (fixture: Fixture, env: Record<string, string>, digits: string, cwd = '.') =>
  run(fixture, 'node', { args: ['--cycle', digits], env, cwd });

const digest = sha256(usualHandoff);

const ofTown = (stateDir: string) => ({ stateDir, store: openStore(stateDir), clock: Date.now, env: {} });

describe('The tries of a session', () => {
  test('after five misses even the right value is refused until a human resets it; other runs are not affected', async () => {
    const { fixture, stateDir, env } = town('crew');
    for (let miss = 0; miss < 5; miss += 1) expect((await node(fixture, env, '35')).code).toBe(4);
    const refused = await node(fixture, env, '34');
    expect(refused.code).toBe(5);
    expect(refused.err).toContain('needs the human');
    expect(refused.err).not.toMatch(/\d/);
    // It is a row for the human, who may take it off the list with or without giving back the tries.
    const row = { agent_id: 'alpha', tree: fixture.tree, at: expect.any(String), why: 'attempts' };
    expect(dissolveRequests(stateDir)).toEqual([row]);
    expect(settleRequest(ofTown(stateDir), 'alpha', false)).toContain('stays armed');
    expect((await node(fixture, env, '34')).code).toBe(5);
    expect(dissolveRequests(stateDir)).toEqual([row]);
    expect(settleRequest(ofTown(stateDir), 'alpha', true)).toContain('may give a value again');
    expect(() => settleRequest(ofTown(stateDir), 'alpha', true)).toThrow('does not ask');
    expect(dissolveRequests(stateDir)).toEqual([]);
    for (let miss = 0; miss < 5; miss += 1) await node(fixture, env, '35');
    expect((await node(fixture, { ...env, GT_INSTANCE_ID: 'two' }, '34')).code).toBe(0);
  });

  test('malformed values and refusals of another kind are no tries; the human’s shell has no limit', async () => {
    const { fixture, env } = town('crew');
    for (let miss = 0; miss < 7; miss += 1) expect((await node(fixture, env, '0x22')).code).toBe(2);
    for (let miss = 0; miss < 7; miss += 1) expect((await node(fixture, {}, '35')).code).toBe(4);
    expect((await node(fixture, env, '34')).code).toBe(0);
  });

  test('eight misses at once are all counted', async () => {
    const { fixture, stateDir, env } = town('crew');
    await Promise.all(Array.from({ length: 8 }, () => node(fixture, env, '35')));
    const lines = readFileSync(join(stateDir, 'handoff', 'attempts', 'alpha'), 'utf8')
      .trim()
      .split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(5);
    expect((await node(fixture, env, '34')).code).toBe(5);
  });
});

describe('Whose handoff it is (decision 15)', () => {
  test('a worker dissolves what waits in its own worktree, and not what lies in the root', async () => {
    const { fixture, env } = town('polecat', '.chipset/worktrees/alpha');
    const git = (...args: string[]): void => {
      const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false'];
      execFileSync('git', [...identity, ...args], { cwd: fixture.tree, stdio: 'ignore' });
    };
    git('commit', '--allow-empty', '-q', '-m', 'first');
    git('worktree', 'add', '-q', '.chipset/worktrees/alpha');
    const own = fixture.path('.chipset', 'worktrees', 'alpha');
    writeFileSync(join(own, 'HOOK_NEXT_CYCLE.md'), usualHandoff);
    expect(armedHandoffs(fixture.tree, Date.now()).map(({ tree, armed }) => ({ tree, armed }))).toEqual([
      { tree: fixture.tree, armed: true },
      { tree: own, armed: true },
    ]);
    expect((await node(fixture, env, '34')).code).toBe(5);
    expect((await node(fixture, env, '34', own)).code).toBe(0);
    expect(existsSync(fixture.hook)).toBe(true);
    expect(existsSync(join(own, 'HOOK_NEXT_CYCLE.md'))).toBe(false);
    expect(armedHandoffs(fixture.tree, Date.now())).toHaveLength(1);
  });

  test('header and list get tree, armed and age, and nothing else', () => {
    const { fixture } = town('crew');
    const entries = armedHandoffs(fixture.tree, Date.now() + 90_000);
    expect(entries).toEqual([{ tree: fixture.tree, armed: true, age_s: expect.any(Number) }]);
    expect(entries[0]?.age_s).toBeGreaterThanOrEqual(89);
    const bare = new Fixture();
    made.push(bare);
    expect(armedHandoffs(bare.tree, Date.now())).toEqual([{ tree: bare.tree, armed: false, age_s: null }]);
  });
});

describe('gate.human_ack', () => {
  const policies: [string, (fixture: Fixture, stateDir: string) => void][] = [
    [
      'gastown.yaml',
      (fixture) =>
        writeFileSync(fixture.path('gastown.yaml'), 'agents: [{id: a, runtime: sim}]\ngate: {human_ack: required}\n'),
    ],
    [
      'the configuration in force',
      (_, stateDir) =>
        writeFileSync(
          join(stateDir, 'town.json'),
          JSON.stringify({ running: true, config: { gate: { human_ack: 'required' } } }),
        ),
    ],
    [
      'a gastown.yaml with a mistake in it',
      (fixture) => writeFileSync(fixture.path('gastown.yaml'), 'gate: {human_ack: required\n'),
    ],
  ];
  for (const [where, write] of policies) {
    test(`required in ${where}: refused until these very bytes are acknowledged, whatever the value`, async () => {
      const { fixture, stateDir, env } = town('crew');
      write(fixture, stateDir);
      for (const digits of ['34', '35']) {
        const refused = await node(fixture, env, digits);
        expect(refused.code).toBe(5);
        expect(refused.err).toContain('has not acknowledged');
      }
      // The agent's wish is a row for the human, and can be refused.
      const row = { agent_id: 'alpha', tree: fixture.tree, at: expect.any(String), why: 'unacknowledged' };
      expect(dissolveRequests(stateDir)).toEqual([row]);
      removeDissolveRequest(stateDir, 'alpha');
      expect(dissolveRequests(stateDir)).toEqual([]);

      const ack = { tree: fixture.tree, sentence: 'I carry the parser over', by: 'operator', now: Date.now() };
      expect(acknowledgeHandoff({ ...ack, digest: sha256('other bytes') })).toContain('read it again');
      expect((await node(fixture, env, '34')).code).toBe(5);
      expect(acknowledgeHandoff({ ...ack, digest })).toBeNull();
      expect((await node(fixture, env, '35')).code).toBe(4);
      expect((await node(fixture, env, '34')).code).toBe(0);
      const ledger = readFileSync(fixture.path('cycles', 'ledger.ndjson'), 'utf8').trim().split('\n');
      expect(ledger.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({
          event: 'acknowledged',
          sha256: digest,
          sentence: 'I carry the parser over',
          by: 'operator',
        }),
        expect.objectContaining({ event: 'dissolved', sha256: digest, by: 'alpha' }),
      ]);
    });
  }

  test('bytes that changed after the acknowledgement need a new one', async () => {
    const { fixture, env } = town('crew');
    writeFileSync(fixture.path('gastown.yaml'), 'agents: [{id: a, runtime: sim}]\ngate: {human_ack: required}\n');
    acknowledgeHandoff({ tree: fixture.tree, digest, sentence: 'read, all of it', by: 'operator', now: Date.now() });
    fixture.arm(`${usualHandoff}- and one more\n`);
    expect((await node(fixture, env, '34')).code).toBe(5);
  });
});

describe('The control pane’s side', () => {
  test('what the human dissolves fulfils the wishes for that tree alone, and the journal tells it without its number', async () => {
    const { fixture, stateDir, env } = town('crew');
    writeFileSync(fixture.path('gastown.yaml'), 'agents: [{id: a, runtime: sim}]\ngate: {human_ack: required}\n');
    expect((await node(fixture, env, '34')).code).toBe(5);
    const other = { agent_id: 'bravo', tree: '/elsewhere', at: new Date().toISOString(), why: 'unacknowledged' };
    writeFileSync(join(stateDir, 'handoff', 'requests', 'bravo.json'), JSON.stringify(other));
    acknowledgeHandoff({ tree: fixture.tree, digest, sentence: 'read, all of it', by: 'human', now: Date.now() });
    expect(await dissolveByHuman(ofTown(stateDir), fixture.tree, digest, '35')).toEqual({
      kind: 'refused',
      message: wrongValue,
    });
    expect(dissolveRequests(stateDir)).toHaveLength(2);
    expect(await dissolveByHuman(ofTown(stateDir), fixture.tree, digest, '34')).toMatchObject({ kind: 'done' });
    expect(dissolveRequests(stateDir)).toEqual([other]);
    const journal = readFileSync(join(stateDir, 'events.jsonl'), 'utf8').trim().split('\n');
    const told = journal.map((line) => JSON.parse(line) as { kind: string; message: string });
    expect(told.map(({ kind, message }) => `${kind}: ${message.replace(fixture.tree, 'TREE')}`)).toEqual([
      'handoff.dissolved: the handoff in TREE was dissolved',
    ]);
  });

  test('shown, acknowledged and archived are the same bytes; a wrong and a malformed value answer one line', async () => {
    const { fixture } = town('crew');
    const shown = readHandoff(fixture.tree, Date.now());
    if (shown.kind !== 'open') throw new Error(shown.message);
    expect(shown.digest).toBe(digest);
    expect(shown.lines).toEqual(visibleLines(usualHandoff));
    const attempt = (value: string, of = shown.digest) =>
      dissolveWithValue({ tree: fixture.tree, digest: of, value, by: 'operator', now: Date.now() });
    const wrong = await attempt('35');
    expect(wrong.kind).toBe('refused');
    for (const value of ['', '0x22', '33', '0'.repeat(64), 'nonsense']) expect(await attempt(value)).toEqual(wrong);
    expect(await attempt('34', sha256('what was shown before'))).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('read it again'),
    });
    expect(existsSync(fixture.hook)).toBe(true);
    expect(await attempt(digest.slice(0, 12))).toEqual({ kind: 'done', archive: `cycles/${fixture.archives()[0]}` });
    expect(readHandoff(fixture.tree, Date.now()).kind).toBe('refused');
  });
});
