/** Who a process is: a pid alone is reused, a pid with its start time is not (field report 23). */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  pid: number;
  /** The start time as the kernel tells it: opaque text, compared for equality only. */
  pid_started: string;
  hostname: string;
}

let mine: ProcessIdentity | null = null;

/** This process; read once. */
export function ownIdentity(): ProcessIdentity {
  mine ??= { pid: process.pid, pid_started: processStart(process.pid) ?? 'unknown', hostname: machine() };
  return mine;
}

/** As `hostname` of `node:os`, which Node would have to load on every event. */
function machine(): string {
  try {
    if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/hostname', 'utf8').trimEnd();
  } catch {
    // No /proc: ask the system.
  }
  return hostname();
}

/** `gone` only when the kernel says so; another machine's process and a failed look are `unknown`. */
export function lookAt(identity: ProcessIdentity): 'alive' | 'gone' | 'unknown' {
  if (identity.hostname !== ownIdentity().hostname) return 'unknown';
  if (!Number.isSafeInteger(identity.pid) || identity.pid <= 0) return 'gone';
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it runs and belongs to somebody else.
    if (code(error) === 'ESRCH') return 'gone';
  }
  const started = processStart(identity.pid);
  if (started === null) return 'unknown';
  if (started === 'gone') return 'gone';
  return started === identity.pid_started ? 'alive' : 'gone';
}

/** Start time of a process, `gone` when it ended (or is a zombie), null when nothing tells. */
export function processStart(pid: number): string | null {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): string | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    return code(error) === 'ENOENT' || code(error) === 'ESRCH' ? 'gone' : null;
  }
  // The command may hold spaces and parentheses: fields count from the last one. State is the 3rd, start the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return 'gone';
  const ticks = fields[19];
  return ticks === undefined ? null : `${bootId()}:${ticks}`;
}

let boot: string | null = null;

/** Ticks count from the boot, so the boot belongs to the identity. */
function bootId(): string {
  try {
    boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
  } catch {
    boot = 'boot';
  }
  return boot;
}

function fromPs(pid: number): string | null {
  try {
    const options = { encoding: 'utf8', timeout: 5_000, env: { ...process.env, LC_ALL: 'C' } } as const;
    const text = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], options).trim();
    if (text === '' || text.startsWith('Z')) return 'gone';
    return text.replace(/^\S+\s+/, '').replace(/\s+/g, ' ');
  } catch (error) {
    return (error as { status?: number }).status === 1 ? 'gone' : null;
  }
}

export const code = (error: unknown): string | undefined => (error as NodeJS.ErrnoException | null)?.code;
