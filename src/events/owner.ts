/**
 * The process whose event this is: the nearest ancestor of ours that is not a shell. An agent's shell tool may run the
 * same runtime once more; that run inherits the whole environment, and only the process tree tells it from the agent.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { processStart } from '../store/process-identity.ts';

export interface Owner {
  pid: number;
  pid_started: string;
}

export interface Ancestry {
  /** Null where nothing tells. */
  owner: Owner | null;
  /** Pids above the owner, nearest first. */
  above: readonly number[];
}

const shells = new Set(['sh', 'dash', 'bash', 'zsh', 'ksh', 'env', 'timeout', 'gt-event']);

/** `parent`: the process that started this one. Reads /proc on Linux, one `ps` elsewhere. Never throws. */
export function ancestryOf(parent: number): Ancestry {
  const chain = chainFrom(parent);
  const index = chain.findIndex(({ name }) => !shells.has(name));
  const first = chain[index];
  if (first === undefined) return { owner: null, above: [] };
  const started = processStart(first.pid);
  if (started === null || started === 'gone') return { owner: null, above: [] };
  return { owner: { pid: first.pid, pid_started: started }, above: chain.slice(index + 1).map(({ pid }) => pid) };
}

interface Link {
  pid: number;
  name: string;
}

function chainFrom(parent: number): Link[] {
  const lookUp = process.platform === 'linux' ? fromProc : fromPs();
  const chain: Link[] = [];
  for (let pid = parent; pid > 1 && chain.length < 64; ) {
    const found = lookUp(pid);
    if (found === null) break;
    chain.push({ pid, name: found.name });
    pid = found.parent;
  }
  return chain;
}

type LookUp = (pid: number) => { parent: number; name: string } | null;

const fromProc: LookUp = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command stands in parentheses and may hold some itself.
    const end = stat.lastIndexOf(')');
    return { parent: Number(stat.slice(end + 2).split(' ')[1]), name: stat.slice(stat.indexOf('(') + 1, end) };
  } catch {
    return null;
  }
};

function fromPs(): LookUp {
  const table = new Map<number, { parent: number; name: string }>();
  try {
    const text = execFileSync('ps', ['-axo', 'pid=,ppid=,comm='], { encoding: 'utf8', timeout: 2_000 });
    for (const line of text.split('\n')) {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.+)$/.exec(line) ?? [];
      if (command !== undefined) table.set(Number(pid), { parent: Number(parent), name: nameOf(command) });
    }
  } catch {
    // Then nothing tells, and the caller decides without it.
  }
  return (pid) => table.get(pid) ?? null;
}

/** A login shell calls itself `-zsh`. */
const nameOf = (command: string): string => (command.split('/').at(-1) ?? command).replace(/^-/, '');
