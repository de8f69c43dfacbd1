/** `detectRuntime()` of seed 001: the runtime this very process runs under. Agents have theirs by configuration. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DetectedRuntime, detectFrom } from '../domain/strategy.ts';

let cached: DetectedRuntime | undefined;

/** First hit wins, cached, never throws: whatever fails makes the answer `unknown`, which is polled. */
export function detectRuntime(
  env: Readonly<Record<string, string | undefined>> = process.env,
  workspace: string = process.cwd(),
): DetectedRuntime {
  cached ??= detectFrom({
    env,
    claudeSettings: existsSync(join(workspace, '.claude', 'settings.json')),
    processes: ancestorNames(),
  });
  return cached;
}

/** Names of this process's ancestors, nearest first; none where `ps` cannot tell. */
function ancestorNames(): string[] {
  try {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8', timeout: 2000 });
    const rows = new Map<number, { parent: number; name: string }>();
    for (const line of table.split('\n')) {
      const [, pid, parent, name] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      if (name !== undefined) rows.set(Number(pid), { parent: Number(parent), name: basename(name.trim()) });
    }
    const names: string[] = [];
    for (let row = rows.get(process.ppid); row !== undefined && names.length < 64; row = rows.get(row.parent)) {
      names.push(row.name);
    }
    return names;
  } catch {
    return [];
  }
}
