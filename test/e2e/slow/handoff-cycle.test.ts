/** Field report 47: after a handoff the next session is a new one, and it is shown the handoff. */
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { AgentRecord } from '../../../src/domain/records.ts';
import { until } from '../../support/private-tmux.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

let town: ScratchTown | null = null;
afterEach(async () => {
  await town?.stop();
  town = null;
});

interface Start {
  argv: string[];
  session: string;
  answer: string;
}

/**
 * A program that looks like Claude Code to the town: it logs its words, keeps a conversation that could be resumed, tells
 * of its session's start, and waits.
 */
const fakeClaude = (log: string): string => `#!${process.execPath}
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const argv = process.argv.slice(2);
const wordAfter = (flag) => (argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : null);
const session = wordAfter('--resume') ?? wordAfter('--session-id');
const project = process.env.HOME + '/.claude/projects/repo';
mkdirSync(project, { recursive: true });
writeFileSync(project + '/' + session + '.jsonl', '{}\\n');
const settings = argv[argv.indexOf('--settings') + 1];
const { hooks } = JSON.parse(settings.startsWith('{') ? settings : readFileSync(settings, 'utf8'));
const payload = { session_id: session, hook_event_name: 'SessionStart', source: 'startup', cwd: process.cwd() };
const answers = hooks.SessionStart.flatMap((entry) => entry.hooks).map(({ command }) =>
  execFileSync('/bin/sh', ['-c', command], { input: JSON.stringify(payload), encoding: 'utf8' }));
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ argv, session, answer: answers.join('') }) + '\\n');
setInterval(() => {}, 1000);
`;

const startsIn = (log: string): Start[] =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Start)
    : [];

describe('handoff cycle', () => {
  test('field report 47: no resume of the old session, the stored id replaced, the handoff injected once', async () => {
    town = scratchTown({ config: 'agents:\n  - {id: crew-me, role: crew, runtime: claude}\n' });
    const current = town;
    const log = join(town.folder, 'starts.jsonl');
    town.program('claude', fakeClaude(log));
    expect(await town.run(['up', '--detach'], { timeoutMs: 90_000 })).toMatchObject({ code: 0 });
    await until('the first session to begin', () => startsIn(log).length === 1, 60_000);
    const first = startsIn(log)[0];
    expect(first?.answer).not.toContain('HOOK_NEXT_CYCLE.md');

    expect(
      await town.run(['handoff', 'cycle', 'crew-me', '--title', 'the parser'], { timeoutMs: 90_000 }),
    ).toMatchObject({ code: 0 });
    expect(town.read('HOOK_NEXT_CYCLE.md')).toContain(`session ${first?.session}`);
    await until('the second session to begin', () => startsIn(log).length === 2, 60_000);
    const second = startsIn(log)[1];
    expect(second?.argv.join(' ')).not.toMatch(/--resume|--continue/);
    expect(second?.argv.join(' ')).not.toContain(first?.session ?? 'none');
    expect(second?.session).not.toBe(first?.session);
    expect(second?.answer.match(/> # Cycle 001 handoff — the parser/g)).toHaveLength(1);
    const record = JSON.parse(readFileSync(join(town.stateDir, 'agents', 'crew-me.json'), 'utf8')) as AgentRecord;
    expect(record.session_id).toBe(second?.session);

    // Injecting has not consumed it; the new session dissolves it with what it was shown.
    const gt = (words: string[]) =>
      current.gt('crew-me', words, { env: { GT_INSTANCE_ID: record.instance_id ?? '' }, timeoutMs: 60_000 });
    expect((await gt(['dissolve', '--cycle', '2'])).code).toBe(4);
    expect((await gt(['dissolve', '--cycle', '1'])).code).toBe(0);
  }, 240_000);

  test('field report 47: ended and not begun again, without a deacon: whoever starts it next begins a new conversation', async () => {
    town = scratchTown({ config: 'agents:\n  - {id: crew-me, role: crew, runtime: claude}\n' });
    const current = town;
    const log = join(town.folder, 'starts.jsonl');
    town.program('claude', fakeClaude(log));
    const run = (...words: string[]) => current.run(words, { timeoutMs: 90_000 });
    expect(await run('up', '--detach')).toMatchObject({ code: 0 });
    await run('deacon', 'stop');
    await until('the first session to begin', () => startsIn(log).length === 1, 60_000);
    // What a start is without a handoff: the same conversation goes on.
    expect(await run('restart', 'crew-me')).toMatchObject({ code: 0 });
    await until('the conversation to go on', () => startsIn(log).length === 2, 60_000);
    expect(startsIn(log)[1]?.argv.join(' ')).toContain(`--resume ${startsIn(log)[0]?.session}`);

    const program = join(town.folder, 'bin', 'claude');
    renameSync(program, `${program}.away`);
    expect(await run('handoff', 'cycle', 'crew-me')).toMatchObject({ code: 3 });
    expect(town.read('HOOK_NEXT_CYCLE.md')).toMatch(/^# Cycle 001 handoff/);
    renameSync(`${program}.away`, program);
    expect(await run('start', 'crew-me')).toMatchObject({ code: 0 });
    await until('the next session to begin', () => startsIn(log).length === 3, 60_000);
    const next = startsIn(log)[2];
    expect(next?.argv.join(' ')).not.toMatch(/--resume|--continue/);
    expect(next?.answer).toContain('> # Cycle 001 handoff');

    // In the gap of a cycle another start waits for its turn: one new conversation, not two and not the old one.
    const both = await Promise.all([run('handoff', 'cycle', 'crew-me'), run('start', 'crew-me')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    await until('the last session to begin', () => startsIn(log).length === 4, 60_000);
    expect(startsIn(log)[3]?.argv.join(' ')).not.toMatch(/--resume|--continue/);
    // From now on this conversation is the one that goes on.
    expect(await run('restart', 'crew-me')).toMatchObject({ code: 0 });
    await until('it to go on', () => startsIn(log).length === 5, 60_000);
    expect(startsIn(log)[4]?.argv.join(' ')).toContain(`--resume ${startsIn(log)[3]?.session}`);
  }, 240_000);

  test('with the town down the handoff is armed all the same, and exit 3 says that nothing was restarted', async () => {
    town = scratchTown({ config: 'agents:\n  - {id: crew-me, role: crew, runtime: sim}\n' });
    const refused = await town.run(['handoff', 'cycle', 'crew-me'], { timeoutMs: 60_000 });
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('down');
    expect(town.read('HOOK_NEXT_CYCLE.md')).toMatch(/^# Cycle 001 handoff/);
  }, 120_000);
});
