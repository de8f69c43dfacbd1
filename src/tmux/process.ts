import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** One process as the kernel knows it. `started` only ever compares equal for the same process. */
export interface ProcessRow {
  pid: number;
  ppid: number;
  /** Process that leads the session; every process of a pane carries the pane's root here until it leaves on purpose. */
  session: number;
  started: string;
}

export type ProcessProbe = { answer: 'yes'; started: string } | { answer: 'no' } | { answer: 'unknown'; why: string };

/** Whether a pid lives, and since when. A zombie does not live. */
export async function probeProcess(pid: number): Promise<ProcessProbe> {
  if (process.platform === 'linux') return probeLinux(pid);
  try {
    const row = (await psRows(['-p', String(pid)])).find((each) => each.pid === pid);
    return row ? { answer: 'yes', started: row.started } : { answer: 'no' };
  } catch (error) {
    return { answer: 'unknown', why: String(error) };
  }
}

/** Every process of the machine, zombies left out. One pass over /proc, or one `ps`. */
export async function processTable(): Promise<ProcessRow[]> {
  if (process.platform !== 'linux') return psRows(['-ax']);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readStat(Number(name)))
    .filter((row): row is ProcessRow => typeof row === 'object');
}

/** A process, its descendants, and whoever else belongs to a session one of them leads; the root last. */
export function treeOf(table: readonly ProcessRow[], root: number): ProcessRow[] {
  const members = new Set([root]);
  for (let size = 0; size !== members.size; ) {
    size = members.size;
    for (const row of table) if (members.has(row.ppid) || members.has(row.session)) members.add(row.pid);
  }
  return table.filter((row) => members.has(row.pid)).sort((a, b) => Number(a.pid === root) - Number(b.pid === root));
}

function probeLinux(pid: number): ProcessProbe {
  const row = readStat(pid);
  if (typeof row === 'object') return { answer: 'yes', started: row.started };
  return row === 'none' ? { answer: 'no' } : { answer: 'unknown', why: `/proc/${pid} cannot be read` };
}

/** Clock ticks since boot tell processes apart only within one boot. */
const boot = process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8) : '';

function readStat(pid: number): ProcessRow | 'none' | 'unknown' {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ESRCH' ? 'none' : 'unknown';
  }
  // The name in parentheses may hold anything, parentheses too: fields are counted after the last one.
  const [state, ppid, , session, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return 'none';
  return { pid, ppid: Number(ppid), session: Number(session), started: `${boot}-${rest[15]}` };
}

/** macOS and the like: `lstart` has a resolution of one second, in five words. */
async function psRows(which: readonly string[]): Promise<ProcessRow[]> {
  const format = ['-o', 'pid=,ppid=,pgid=,stat=,lstart='];
  const options = { env: { ...process.env, LC_ALL: 'C' }, timeout: 5_000 };
  const listed = await new Promise<string>((resolve, reject) => {
    execFile('ps', [...which, ...format], options, (error, stdout) => {
      // `ps -p` exits 1 without a word when there is no such process.
      if (error === null || (error.code === 1 && stdout === '')) resolve(stdout);
      else reject(error);
    });
  });
  return listed.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
    if (!found || found[4]?.startsWith('Z')) return [];
    const [, pid, ppid, group, , started] = found;
    return [{ pid: Number(pid), ppid: Number(ppid), session: Number(group), started: started ?? '' }];
  });
}
