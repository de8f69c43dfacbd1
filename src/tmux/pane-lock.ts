import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probeProcess } from './process.ts';

export interface PaneLock {
  release(): void;
}

/**
 * A lock per pane across processes. Tickets `pane-<n>.<turn>` are only ever added: the highest turn holds the lock until
 * its file says so, or its process has ended (pid and start time). Taking over from the dead removes nothing that counts,
 * so two who do it at once cannot both win. Null after `waitMs`.
 */
export async function lockPane(folder: string, paneId: string, waitMs: number): Promise<PaneLock | null> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `pane-${paneId.replace(/\D/g, '')}`;
  const self = await probeProcess(process.pid);
  const mine = `${process.pid} ${self.answer === 'yes' ? self.started : ''}`;
  const deadline = performance.now() + waitMs;
  for (;;) {
    const turn = highestTurn(folder, name);
    if (turn === 0 || (await isFree(join(folder, `${name}.${turn}`)))) {
      const path = join(folder, `${name}.${turn + 1}`);
      // Old tickets are swept by the holder; who took one of those numbers late sees a higher one and steps back.
      if (claim(path, mine)) {
        if (highestTurn(folder, name) === turn + 1) {
          sweep(folder, name, turn + 1);
          return { release: () => free(path) };
        }
        rmSync(path, { force: true });
      }
    }
    if (performance.now() >= deadline) return null;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const turnsOf = (folder: string, name: string): number[] =>
  readdirSync(folder)
    .filter((file) => file.startsWith(`${name}.`))
    .map((file) => Number(file.slice(name.length + 1)))
    .filter(Number.isInteger);

const highestTurn = (folder: string, name: string): number => Math.max(0, ...turnsOf(folder, name));

async function isFree(path: string): Promise<boolean> {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch {
    // Swept meanwhile: there is a newer one to look at.
    return false;
  }
  if (content === 'free') return true;
  const [pid, started] = content.split(' ');
  const probe = await probeProcess(Number(pid));
  return probe.answer === 'no' || (probe.answer === 'yes' && probe.started !== started);
}

/** Made whole under another name, then linked: a ticket is never seen empty, and only one link of a name succeeds. */
function claim(path: string, content: string): boolean {
  const fresh = `${path}-${randomBytes(6).toString('hex')}`;
  writeFileSync(fresh, content, { mode: 0o600 });
  try {
    linkSync(fresh, path);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(fresh, { force: true });
  }
}

function free(path: string): void {
  const fresh = `${path}-${randomBytes(6).toString('hex')}`;
  writeFileSync(fresh, 'free', { mode: 0o600 });
  renameSync(fresh, path);
}

function sweep(folder: string, name: string, turn: number): void {
  for (const old of turnsOf(folder, name)) if (old < turn) rmSync(join(folder, `${name}.${old}`), { force: true });
}
