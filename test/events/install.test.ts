/** Field report 39: an installer that deletes what is not its own. Also issue 4, done when 3. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { codexHooks } from '../../src/runtimes/codex/event-settings.ts';
import { geminiHooks } from '../../src/runtimes/gemini/event-settings.ts';
import { isGuardedCommand } from '../../src/runtimes/guarded-command.ts';
import { type HookEntries, missingEntries, withEntries, withoutEntries } from '../../src/runtimes/hook-file.ts';
import { openTown, type Town } from '../../src/town/context.ts';
import { fireCanary } from '../../src/town/events/canary.ts';
import { findEvents, installEvents, uninstallEvents } from '../../src/town/events/install.ts';
import { silentCause } from '../../src/town/events/silence.ts';
import { agentId, type EventTown, openEventTown, removeScratch } from './support/event-town.ts';

afterAll(removeScratch);

const ours = codexHooks().hooks as HookEntries;
const foreign = `{\r
    "permissions": { "allow": ["Bash(ls:*)"] },\r
    "hooks": {\r
        "SessionStart": [\r
            { "matcher": "compact", "hooks": [{ "type": "command", "command": "echo one" }] },\r
            { "matcher": "startup", "hooks": [{ "type": "command", "command": "echo two", "unknown": true }] }\r
        ],\r
        "Stop": [{ "hooks": [{ "type": "command", "command": "echo \\"bye\\"" }] }]\r
    },\r
    "unknown": { "x": [1, 2] }\r
}`;

const text = (merged: ReturnType<typeof withEntries>): string => {
  if (merged.kind !== 'changed' || merged.text === null) throw new Error(`${merged.kind}`);
  return merged.text;
};
const values = (json: string) => JSON.parse(json) as { hooks: Record<string, unknown[]> } & Record<string, unknown>;

describe('field report 39: entries are merged into what is there', () => {
  it('foreign entries and unknown keys keep value and order, ours come once, after them', () => {
    const merged = text(withEntries(foreign, ours, isGuardedCommand));
    const [before, after] = [values(foreign), values(merged)];
    expect(after['permissions']).toEqual(before['permissions']);
    expect(after['unknown']).toEqual(before['unknown']);
    expect(after.hooks['SessionStart']?.slice(0, 2)).toEqual(before.hooks['SessionStart']);
    expect(after.hooks['SessionStart']).toHaveLength(3);
    expect(after.hooks['Stop']?.[0]).toEqual(before.hooks['Stop']?.[0]);
    expect(merged).toContain('\r\n    "unknown"');
    expect(merged.endsWith('}')).toBe(true);
    expect(withEntries(merged, ours, isGuardedCommand)).toEqual({ kind: 'unchanged' });
    expect(missingEntries(merged, ours)).toEqual([]);
  });

  it('taking ours out again leaves the foreign part as it was, byte for byte', () => {
    const merged = text(withEntries(foreign, ours, isGuardedCommand));
    const back = text(withoutEntries(merged, isGuardedCommand));
    expect(values(back)).toEqual(values(foreign));
    expect(withoutEntries(foreign, isGuardedCommand)).toEqual({ kind: 'unchanged' });
  });

  it('comments and trailing commas survive', () => {
    const commented = '{\n  // mine\n  "hooks": {\n    "Stop": [], // none yet\n  },\n}\n';
    const merged = text(withEntries(commented, ours, isGuardedCommand));
    expect(merged).toContain('// mine');
    expect(merged).toContain('// none yet');
    expect(missingEntries(merged, ours)).toEqual([]);
  });

  it('an earlier version of our entry is renewed in place of being doubled', () => {
    const old = {
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'command', command: 'echo x' },
              { type: 'command', command: '[ -z "$GT_EVENT_BIN" ] || exec "$GT_EVENT_BIN" Stop' },
            ],
          },
        ],
        Gone: [{ hooks: [{ type: 'command', command: '[ -z "$GT_EVENT_BIN" ] || exec "$GT_EVENT_BIN" Gone' }] }],
      },
    };
    const merged = values(text(withEntries(JSON.stringify(old), ours, isGuardedCommand)));
    expect(merged.hooks['Stop']).toEqual([
      { hooks: [{ type: 'command', command: 'echo x' }] },
      ...(ours['Stop'] ?? []),
    ]);
    expect(merged.hooks['Gone']).toBeUndefined();
  });

  it.each([
    ['truncated', '{"hooks": {'],
    ['empty', ''],
    ['a list', '[]'],
    ['hooks a list', '{"hooks": []}'],
    ['an event no list', '{"hooks": {"Stop": {}}}'],
    ['text', 'hello'],
  ])('%s: is not touched', (_, broken) => {
    expect(withEntries(broken, ours, isGuardedCommand).kind).toBe('broken');
    expect(withoutEntries(broken, isGuardedCommand).kind).toBe('broken');
  });

  it('a byte order mark stays', () => {
    const merged = text(withEntries('\ufeff{}', ours, isGuardedCommand));
    expect(merged.startsWith('\ufeff{')).toBe(true);
  });
});

describe('field report 39: on disk', () => {
  let place: EventTown;
  let town: Town;
  let file: string;
  beforeEach(async () => {
    place = await openEventTown({ runtime: 'codex', folder: `it's a town` });
    town = await openTown({ cwd: place.root, env: { ...place.env, HOME: place.root } });
    file = join(place.root, '.codex', 'hooks.json');
    mkdirSync(join(place.root, '.codex'));
  });

  it('install twice, uninstall: the file is byte for byte what it was', async () => {
    writeFileSync(file, foreign);
    expect(findEvents(town, 'codex').state).toBe('missing');
    expect(silentCause(town, 'codex')).toBeNull();
    const first = await installEvents(town, 'codex');
    expect(first.detail).toContain('added SessionStart');
    expect(silentCause(town, 'codex')).toContain('approve the hooks');
    const once = readFileSync(file, 'utf8');
    expect((await installEvents(town, 'codex')).detail).toBe('nothing to change');
    expect(readFileSync(file, 'utf8')).toBe(once);
    expect(findEvents(town, 'codex').state).toBe('installed');
    await uninstallEvents(town, 'codex');
    expect(readFileSync(file, 'utf8')).toBe(foreign);
  });

  it('done when 3: removing gastown leaves the settings of every runtime, and of the repository, byte for byte', async () => {
    const own = join(place.root, '.claude', 'settings.json');
    mkdirSync(join(place.root, '.claude'));
    const claude = '{"hooks": {"Stop": []}, "x": 1}';
    writeFileSync(own, claude);
    for (const before of [foreign, '{}', '{"hooks": {}}\n', '// mine\n{\n\t"theme": "dark",\n}\n', '\ufeff{"a": 1}']) {
      for (const runtime of ['codex', 'gemini']) {
        const { path } = await installEvents(town, runtime);
        await uninstallEvents(town, runtime);
        if (path === null) throw new Error(`${runtime} has no settings file`);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, before);
        await installEvents(town, runtime);
        expect(readFileSync(path, 'utf8')).not.toBe(before);
        await uninstallEvents(town, runtime);
        expect(readFileSync(path, 'utf8'), `${runtime}: ${before}`).toBe(before);
      }
    }
    expect(readFileSync(own, 'utf8')).toBe(claude);
  });

  it('a file that was not there is gone again', async () => {
    await installEvents(town, 'codex');
    expect(existsSync(file)).toBe(true);
    await uninstallEvents(town, 'codex');
    expect(existsSync(file)).toBe(false);
  });

  it('what the user changed meanwhile stays', async () => {
    writeFileSync(file, foreign);
    await installEvents(town, 'codex');
    writeFileSync(file, readFileSync(file, 'utf8').replace('echo one', 'echo changed'));
    await uninstallEvents(town, 'codex');
    expect(values(readFileSync(file, 'utf8'))).toEqual(values(foreign.replace('echo one', 'echo changed')));
  });

  it('a file that does not parse keeps its bytes; exit 1', async () => {
    writeFileSync(file, '{"hooks": {');
    await expect(installEvents(town, 'codex')).rejects.toMatchObject({ exit: 1 });
    await expect(uninstallEvents(town, 'codex')).rejects.toMatchObject({ exit: 1 });
    expect(readFileSync(file, 'utf8')).toBe('{"hooks": {');
    expect(findEvents(town, 'codex').state).toBe('broken');
  });

  it('a symlink stays a symlink, its mode stays, read-only is refused', async () => {
    const real = join(place.root, 'dotfiles.json');
    writeFileSync(real, foreign);
    chmodSync(real, 0o640);
    symlinkSync(real, file);
    await installEvents(town, 'codex');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(lstatSync(real).mode & 0o777).toBe(0o640);
    expect(missingEntries(readFileSync(real, 'utf8'), ours)).toEqual([]);
    await uninstallEvents(town, 'codex');
    expect(readFileSync(real, 'utf8')).toBe(foreign);
    chmodSync(real, 0o440);
    await expect(installEvents(town, 'codex')).rejects.toMatchObject({ exit: 3 });
    expect(readFileSync(real, 'utf8')).toBe(foreign);
  });

  it('a canary is fired through the installed command and arrives; without one the reason is told', async () => {
    expect(await fireCanary(town, agentId)).toMatchObject({ arrived: false, why: 'no events are installed' });
    await installEvents(town, 'codex');
    expect(await fireCanary(town, agentId)).toMatchObject({ arrived: true, why: '' });
    writeFileSync(place.entry, '#!/bin/sh\nexit 7\n');
    expect(await fireCanary(town, agentId)).toMatchObject({ arrived: false, why: 'it ended with 7' });
    expect(place.agent().session_id).toBeNull();
  });

  it('outside a pane the installed commands do nothing at all', async () => {
    for (const hooks of [codexHooks().hooks, geminiHooks().hooks]) {
      for (const { command } of Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks))) {
        const out = execFileSync('/bin/sh', ['-c', command], { env: { PATH: '/usr/bin:/bin' } });
        expect(out.toString()).toBe('');
      }
    }
  });

  it('Claude needs nothing installed, and gemini and opencode have their own places', async () => {
    expect(findEvents(town, 'claude')).toMatchObject({ state: 'with-start', path: null });
    for (const runtime of ['gemini', 'opencode']) {
      const { path } = await installEvents(town, runtime);
      expect(path?.startsWith(place.root)).toBe(true);
      expect(findEvents(town, runtime).state).toBe('installed');
      await uninstallEvents(town, runtime);
      expect(existsSync(path ?? '')).toBe(false);
    }
  });
});
