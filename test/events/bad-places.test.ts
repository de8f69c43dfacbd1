/** Events on a machine that fails them, on the record and on the row (issue 4: bad input). */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sessionSchema } from '../../src/domain/records.ts';
import { openStore } from '../../src/store/store.ts';
import { readTrouble } from '../../src/town/events/trouble.ts';
import {
  agentId,
  type EventTown,
  fire,
  haveSession,
  openEventTown,
  parked,
  removeScratch,
  sessionId,
} from './support/event-town.ts';
import { rowOf } from './support/row.ts';

afterAll(removeScratch);

const silent = { exit: 0, out: '', err: '' };
const tool = (fields: object = {}) => ({
  session_id: sessionId,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 't1',
  ...fields,
});
const question = (id: string) =>
  tool({ tool_name: 'AskUserQuestion', tool_use_id: id, tool_input: { questions: [{ question: 'Red?' }] } });
const row = (town: Pick<EventTown, 'store' | 'agent' | 'session'>) => rowOf(town, sessionId, Date.now());
const asParked = { state: 'asking', detail: `parked: ${parked.note}` };

const canMount = process.getuid?.() === 0 && tryMount();

function tryMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Shells of this machine that may stand in for `/bin/sh`; macOS's is bash in its POSIX mode. */
const shells = [
  ['dash'],
  ['bash'],
  ['bash', '--posix'],
  ['busybox', 'sh'],
  ['ksh'],
  ['mksh'],
  ['zsh', '--emulate', 'sh'],
].filter(([name = '']) => (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name))));

describe.each(shells.map((words) => ({ shell: words.join(' '), words })))('the entry under $shell', ({ words }) => {
  it('flips once, then answers alone, in a town whose path holds a space and quotes, without PATH', async () => {
    const town = await openEventTown({ folder: `it's a "town"` });
    const [shell = '', ...flags] = words;
    const program = execFileSync('sh', ['-c', `command -v ${shell}`], { encoding: 'utf8' }).trim();
    const call = (...given: string[]) =>
      fire(program, [...flags, town.entry, ...given], tool(), { ...town.env, PATH: '/nowhere' });
    await haveSession(town, parked);
    expect(row(town)).toMatchObject(asParked);
    expect(await call('PreToolUse', 'Bash')).toEqual(silent);
    expect(town.session(sessionId)).toMatchObject({ status: 'active', note: null });
    expect(row(town)).toMatchObject({ state: 'idle', detail: 'busy without a bead' });
    expect(await call('PostToolUse', 'Bash')).toEqual(silent);
    expect(readFileSync(join(town.stateDir, 'heartbeat', `${agentId}.calls`), 'utf8')).toBe('+Bash\n-Bash\n');
    expect(readTrouble(town.store.paths, agentId)).toBeNull();
    town.close();
  });
});

describe('where nothing can be written', () => {
  /** Runs `setup` in a mount namespace of its own; `$S` is the state folder, `$OUT` a folder outside, "$@" the event. */
  async function inMounts(town: EventTown, setup: string): Promise<{ exit: number | null; out: string; err: string }> {
    const out = join(town.root, 'out');
    const env = { ...town.env, S: town.stateDir, OUT: out };
    return fire('unshare', ['-m', 'sh', '-c', setup, 'sh', town.entry, 'PreToolUse', 'Bash'], tool(), env);
  }

  it.skipIf(!canMount)(
    'a read-only state folder: exit 0, record and row as they were, and well again after it',
    async () => {
      const town = await openEventTown();
      await haveSession(town, parked);
      const { path } = town.store.sessions.place(sessionId);
      const before = readFileSync(path, 'utf8');
      expect(await inMounts(town, 'mount --bind "$S" "$S" && mount -o remount,ro,bind "$S" && "$@"')).toEqual(silent);
      expect(readFileSync(path, 'utf8')).toBe(before);
      expect(row(town)).toMatchObject(asParked);
      expect(await town.fire('PreToolUse Bash', tool())).toEqual(silent);
      expect(town.session(sessionId)).toMatchObject({ status: 'active' });
      expect(row(town)).toMatchObject({ state: 'idle', detail: 'busy without a bead' });
      town.close();
    },
  );

  it.skipIf(!canMount)(
    'a full disk: exit 0, the record is whole and the old one, and well again with room',
    async () => {
      const town = await openEventTown();
      await haveSession(town, parked);
      const setup = `cp -a "$S" "$OUT.copy" && mount -t tmpfs -o size=256k none "$S" && cp -a "$OUT.copy/." "$S"
      { dd if=/dev/zero of="$S/fill" bs=4096; } 2>/dev/null
      cat >"$OUT.payload"
      "$@" <"$OUT.payload"; s=$?
      cp -a "$S" "$OUT.full"; rm -f "$S/fill" "$OUT.full/fill"
      [ $s = 0 ] && "$@" <"$OUT.payload"; s=$?
      cp -a "$S" "$OUT.room"; exit $s`;
      expect(await inMounts(town, setup)).toEqual(silent);
      const at = (name: string): Pick<EventTown, 'store' | 'agent' | 'session'> => {
        const store = openStore(join(town.root, `out.${name}`));
        const session = (id: string) => {
          const read = store.sessions.read(id);
          return read.kind === 'ok' ? read.value : null;
        };
        return { store, agent: town.agent, session };
      };
      expect(at('full').session(sessionId)).toMatchObject(parked);
      expect(row(at('full'))).toMatchObject(asParked);
      expect(at('room').session(sessionId)).toMatchObject({ status: 'active', note: null });
      expect(row(at('room'))).toMatchObject({ state: 'idle', detail: 'busy without a bead' });
      town.close();
    },
  );
});

describe('whose event it is', () => {
  it("an event of another town's session changes neither town, and is counted in the one that was called", async () => {
    const ours = await openEventTown();
    const theirs = await openEventTown();
    await haveSession(ours, { ...parked, owner: null });
    const foreign = '00000000-0000-4000-8000-0000000000ff';
    await haveSession(theirs, parked, foreign);
    expect(await ours.fire('PreToolUse Bash', tool({ session_id: foreign }))).toEqual(silent);
    expect(ours.session(sessionId)).toMatchObject(parked);
    expect(ours.session(foreign)).toBeNull();
    expect(theirs.session(foreign)).toMatchObject(parked);
    expect(row(ours)).toMatchObject(asParked);
    expect(rowOf(theirs, foreign, Date.now())).toMatchObject(asParked);
    expect(readTrouble(ours.store.paths, agentId)?.last).toContain('unknown session');
    expect(readTrouble(theirs.store.paths, agentId)).toBeNull();
    ours.close();
    theirs.close();
  });
});

describe('two events at the same instant', () => {
  it('a question and its sibling, whichever comes first: the question stands, both calls are known', async () => {
    const town = await openEventTown();
    for (let round = 0; round < 4; round += 1) {
      const id = `q${round}`;
      await haveSession(town, parked);
      rmSync(join(town.stateDir, 'heartbeat', `${agentId}.calls`), { force: true });
      const answers = await Promise.all([
        town.fire('PreToolUse AskUserQuestion', question(id)),
        town.fire('PreToolUse Bash', tool()),
      ]);
      expect(answers).toEqual([silent, silent]);
      expect(town.session(sessionId)).toMatchObject({ status: 'asking', note: 'Red?', tool_use_id: id });
      expect(row(town)).toMatchObject({ state: 'asking', detail: 'Red?' });
      const calls = readFileSync(join(town.stateDir, 'heartbeat', `${agentId}.calls`), 'utf8')
        .trim()
        .split('\n');
      expect(calls.sort()).toEqual(['+AskUserQuestion', '+Bash']);
    }
    town.close();
  });

  it('ten of the same: one whole record, no call held up, and what was dropped is counted', async () => {
    const town = await openEventTown();
    await haveSession(town, parked);
    const answers = await Promise.all(Array.from({ length: 10 }, () => town.fire('PreToolUse Bash', tool())));
    expect(answers).toEqual(Array.from({ length: 10 }, () => silent));
    const { path } = town.store.sessions.place(sessionId);
    expect(sessionSchema.parse(JSON.parse(readFileSync(path, 'utf8')))).toMatchObject({ status: 'active', note: null });
    expect(row(town)).toMatchObject({ state: 'idle', detail: 'busy without a bead' });
    const dropped = readTrouble(town.store.paths, agentId);
    expect(dropped === null || dropped.last.includes('is held by')).toBe(true);
    town.close();
  });
});
