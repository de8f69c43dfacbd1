/** Kills the script after its nth program, with all it has started, by wrappers on its PATH. The script knows nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Fixture, programPath, runProcess, usualHandoff } from './fixture.ts';

const tools = 'env tr ls date sha256sum awk wc dd head sed chmod cat ln mv rm mkdir sync grep od printf'.split(' ');

/** Each wrapper runs the real program, counts, and kills the whole process group when its turn has come. */
function wrapTools(fixture: Fixture): string {
  const bin = join(fixture.base, 'bin');
  mkdirSync(bin);
  const wc = programPath('wc');
  for (const tool of tools) {
    const real = programPath(tool);
    const text = [
      '#!/bin/sh',
      `${real} "$@"`,
      'code=$?',
      'printf x >>"$KILL_COUNT"',
      `[ "$(${wc} -c <"$KILL_COUNT")" -ge "$KILL_AT" ] && kill -9 0`,
      'exit "$code"',
    ];
    writeFileSync(join(bin, tool), `${text.join('\n')}\n`, { mode: 0o755 });
  }
  return bin;
}

/** Runs the script until its `at`th program ended, then kill -9. False once it came to its own end before that. */
export async function killShellAt(shell: string, at: number): Promise<boolean> {
  const fixture = new Fixture();
  try {
    fixture.arm();
    const count = join(fixture.base, 'count');
    writeFileSync(count, '');
    const env = { PATH: `${wrapTools(fixture)}:${process.env['PATH']}`, KILL_COUNT: count, KILL_AT: String(at) };
    // A process group of its own: the kill ends the script and its children, and nothing else.
    const child = spawn(shell, [fixture.script, '--cycle', '34'], {
      cwd: fixture.tree,
      env,
      detached: true,
      stdio: 'ignore',
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    const killed = code === null;
    const next = await runProcess(shell, [fixture.script, '--cycle', '34'], {
      cwd: fixture.tree,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const label = `${shell} killed at ${at}, then ${next.code}: ${next.err}`;
    expect(existsSync(fixture.hook), label).toBe(false);
    expect(fixture.leftovers(), label).toEqual([]);
    expect([0, 3], label).toContain(next.code);
    const archives = fixture.archives();
    expect(archives.length, label).toBeGreaterThanOrEqual(1);
    for (const name of archives) expect(readFileSync(fixture.path('cycles', name), 'utf8'), label).toBe(usualHandoff);
    return killed;
  } finally {
    fixture.remove();
  }
}
