import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { detectRuntime } from '../../src/runtimes/detect.ts';
import { findBinary, versionOf } from '../../src/runtimes/find-binary.ts';
import { runtimeOf } from '../../src/runtimes/registry.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-`)));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, text: string, mode = 0o644): string {
  const whole = join(folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
  return whole;
}

test('the program is the first executable file of its name on PATH; relative parts of PATH do not count', async () => {
  put('a/tool', 'no program');
  mkdirSync(join(folder, 'b', 'tool'), { recursive: true });
  const real = put('c/tool', '#!/bin/sh\n', 0o755);
  mkdirSync(join(folder, 'd'));
  symlinkSync(real, join(folder, 'd', 'tool'));
  const path = ['', '.', 'c', ...['a', 'b', 'd', 'c'].map((name) => join(folder, name))].join(':');
  expect(await findBinary('tool', path, folder)).toBe(join(folder, 'd', 'tool'));
  expect(await findBinary('tool', `c::.:${folder}/a`, folder)).toBeNull();
  expect(await findBinary('./c/tool', '', folder)).toBe(join(folder, 'c', 'tool'));
  expect(await findBinary(real, '', '/')).toBe(real);
  expect(await findBinary('./a/tool', '', folder)).toBeNull();
});

test('a version is what the program says; none where it fails', async () => {
  expect(await versionOf(put('v', '#!/bin/sh\necho "2.1.332 (Claude Code)"\n', 0o755))).toBe('2.1.332');
  expect(await versionOf(put('w', '#!/bin/sh\necho 1.2.3\nexit 1\n', 0o755))).toBeNull();
  expect(await versionOf(join(folder, 'missing'))).toBeNull();
});

test('Claude: a conversation is found by its id in whatever project, also in a moved configuration', async () => {
  put('.claude/projects/-a/one.jsonl', '');
  put('moved/projects/-b/two.jsonl', '');
  const { findSession } = runtimeOf('claude');
  expect(await findSession('one', { HOME: folder })).toBe('yes');
  expect(await findSession('two', { HOME: folder })).toBe('no');
  expect(await findSession('two', { HOME: folder, CLAUDE_CONFIG_DIR: join(folder, 'moved') })).toBe('yes');
  expect(await findSession('one', { HOME: join(folder, 'nobody') })).toBe('unknown');
});

test('Codex: the newest conversation of a tree since a time, and none of another tree', async () => {
  const ids = [
    '01a22f9e-9198-7e13-b2d1-7e045dae7770',
    '01a22f9e-9198-7e13-b2d1-7e045dae7771',
    '01a22f9e-9198-7e13-b2d1-7e045dae7772',
  ];
  const file = (index: number, cwd: string): void => {
    const line = JSON.stringify({
      type: 'session_meta',
      payload: { id: ids[index], cwd, base_instructions: 'x'.repeat(9000) },
    });
    const path = put(
      `.codex/sessions/2026/12/0${index + 1}/rollout-2026-12-0${index + 1}T01-00-00-${ids[index]}.jsonl`,
      line,
    );
    utimesSync(path, 1000 + index, 1000 + index);
  };
  file(0, '/tree/"a');
  file(1, '/tree/"a');
  file(2, '/tree/b');
  const { latestSession, findSession } = runtimeOf('codex');
  expect(await latestSession('/tree/"a', 0, { HOME: folder })).toBe(ids[1]);
  expect(await latestSession('/tree/"a', 1_002_000, { HOME: folder })).toBeNull();
  expect(await latestSession('/tree/c', 0, { HOME: folder })).toBeNull();
  expect(await findSession(ids[0] ?? '', { HOME: folder })).toBe('yes');
  expect(await findSession('01a22f9e-9198-7e13-b2d1-7e045dae7779', { HOME: folder })).toBe('no');
  expect(await latestSession('/tree/b', 0, { HOME: join(folder, 'nobody') })).toBeNull();
});

test('Gemini: a session in which nothing was answered cannot be resumed', async () => {
  const id = '4221268c-f0f1-4683-a9e6-7d5ce7aa4ba6';
  const { findSession } = runtimeOf('gemini');
  const path = '.gemini/tmp/repo/chats/session-2026-12-01T03-25-4221268c.jsonl';
  put(path, `{"sessionId":"${id}"}\n{"type":"user"}\n`);
  expect(await findSession(id, { HOME: folder })).toBe('no');
  put(path, `{"sessionId":"${id}"}\n{"type":"user"}\n{"type":"gemini"}\n`);
  expect(await findSession(id, { HOME: folder })).toBe('yes');
  expect(await findSession('4221268c-0000-4683-a9e6-7d5ce7aa4ba6', { HOME: folder })).toBe('no');
});

test('seed 001: detectRuntime answers for this very process, once', () => {
  const found = detectRuntime({ GT_RUNTIME: 'codex' }, folder);
  expect(found.getGUPPStrategy()).toBe('startup_fallback');
  expect(detectRuntime({ GT_RUNTIME: 'gemini' }, folder)).toBe(found);
});
