/** Eight callers at once, round after round. Node callers are long-lived programs, so that a round costs its calls only. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { expect } from 'vitest';
import { Fixture, runProcess, usualHandoff } from './fixture.ts';

const env = { PATH: process.env['PATH'] ?? '' };
const callers = 8;

export class Crowd {
  private readonly children: { child: ChildProcess; lines: AsyncIterator<string>; reader: Interface }[] = [];

  static async of(program: string): Promise<Crowd> {
    const crowd = new Crowd();
    for (let one = 0; one < callers; one += 1) {
      const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
      const reader = createInterface({ input: child.stdout });
      crowd.children.push({ child, reader, lines: reader[Symbol.asyncIterator]() });
    }
    await Promise.all(crowd.children.map(({ lines }) => lines.next()));
    return crowd;
  }

  /** Exit codes of one call by each caller, begun together. */
  async callAll(args: readonly string[], cwd: string): Promise<number[]> {
    const line = `${JSON.stringify({ args, cwd })}\n`;
    for (const { child } of this.children) child.stdin?.write(line);
    const answers = await Promise.all(this.children.map(({ lines }) => lines.next()));
    return answers.map(({ value }) => Number(value));
  }

  async end(): Promise<void> {
    for (const { child, reader } of this.children) {
      reader.close();
      child.stdin?.end();
    }
    await Promise.all(
      this.children.map(({ child }) => child.exitCode ?? new Promise((done) => child.on('exit', done))),
    );
  }
}

/** Exactly one success, one archive of the exact bytes, no leftovers; losers say that it is gone or going. */
export async function holdRounds(
  rounds: number,
  callAll: (fixture: Fixture) => Promise<(number | null)[]>,
): Promise<void> {
  const fixture = new Fixture();
  try {
    for (let round = 1; round <= rounds; round += 1) {
      fixture.arm();
      const codes = await callAll(fixture);
      const label = `round ${round}: ${codes.join(' ')}`;
      expect(
        codes.filter((code) => code === 0),
        label,
      ).toHaveLength(1);
      expect(
        codes.every((code) => code === 0 || code === 3 || code === 7),
        label,
      ).toBe(true);
      expect(fixture.archives(), label).toHaveLength(round);
      expect(fixture.leftovers(), label).toEqual([]);
    }
    for (const name of fixture.archives()) {
      expect(readFileSync(fixture.path('cycles', name), 'utf8')).toBe(usualHandoff);
    }
    const ledger = readFileSync(fixture.path('cycles', 'ledger.ndjson'), 'utf8').trim().split('\n');
    expect(ledger).toHaveLength(rounds);
  } finally {
    fixture.remove();
  }
}

export const shellCrowd =
  (shell: string) =>
  (fixture: Fixture): Promise<(number | null)[]> =>
    Promise.all(
      Array.from({ length: callers }, async () => {
        const call = await runProcess(shell, [fixture.script, '--cycle', '34'], { cwd: fixture.tree, env });
        return call.code;
      }),
    );
