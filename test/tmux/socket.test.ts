import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { townSocket } from '../../src/tmux/socket.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-`));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const uid = process.getuid?.() ?? 0;

describe('townSocket', () => {
  it('lies in a 0700 folder of XDG_RUNTIME_DIR, else of TMPDIR, and follows the real path of the town', () => {
    const [runtime, temp, town] = ['run', 'tmp', 'town'].map((name) => join(folder, name));
    for (const path of [runtime, temp, town]) mkdirSync(path ?? '');
    symlinkSync(town ?? '', join(folder, 'link'));
    const socket = townSocket(town ?? '', { XDG_RUNTIME_DIR: runtime, TMPDIR: temp });
    expect(socket.startsWith(`${runtime}/gastown-${uid}/`)).toBe(true);
    expect(statSync(join(runtime ?? '', `gastown-${uid}`)).mode & 0o777).toBe(0o700);
    expect(townSocket(join(folder, 'link'), { XDG_RUNTIME_DIR: runtime })).toBe(socket);
    expect(townSocket(folder, { XDG_RUNTIME_DIR: runtime })).not.toBe(socket);
    expect(townSocket(town ?? '', { TMPDIR: temp }).startsWith(`${temp}/gastown-${uid}/`)).toBe(true);
    expect(
      townSocket(town ?? '', { XDG_RUNTIME_DIR: join(folder, 'missing'), TMPDIR: temp }).startsWith(`${temp}/`),
    ).toBe(true);
  });

  it('refuses a folder that is open to others, or is a link (exit 3)', () => {
    const ours = join(folder, `gastown-${uid}`);
    mkdirSync(ours);
    chmodSync(ours, 0o755);
    expect(() => townSocket(folder, { TMPDIR: folder })).toThrow(/open to others/);
    rmSync(ours, { recursive: true });
    symlinkSync('/tmp', ours);
    expect(() => townSocket(folder, { TMPDIR: folder })).toThrow(/not a folder/);
  });

  it('takes a shorter folder where the path would be too long for a socket', () => {
    const long = join(folder, 'x'.repeat(90));
    mkdirSync(long);
    const short = join(folder, 't');
    mkdirSync(short);
    expect(townSocket(folder, { XDG_RUNTIME_DIR: long, TMPDIR: short }).startsWith(`${short}/`)).toBe(true);
  });
});
