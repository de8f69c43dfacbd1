// CPU of an idle deacon over 30 agents that only sleep, from the kernel's own count of its process, over one minute.
// Bar: at most 0.5 % of a core (DESIGN section 9). The bare side is a Node process that does nothing but wait.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchTown } from './town.mjs';

const agents = 30;
const settleMs = 15_000;
const spanMs = 60_000;
const ticksPerSecond = 100;

/** Milliseconds of CPU that a process has used. */
function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

const town = benchTown(agents);
const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)'], { stdio: 'ignore' });
try {
  town.run(['up', '--detach']);
  const lease = join(town.root, '.chipset/state/deacon/lease.json');
  await sleep(settleMs);
  const { pid } = JSON.parse(readFileSync(lease, 'utf8'));
  const before = { deacon: cpuMs(pid), bare: cpuMs(idle.pid) };
  await sleep(spanMs);
  const percent = (after, from) => +(((after - from) / spanMs) * 100).toFixed(2);
  console.log(
    JSON.stringify({
      bench: 'deacon-idle',
      agents,
      deacon_percent: percent(cpuMs(pid), before.deacon),
      bare_percent: percent(cpuMs(idle.pid), before.bare),
      bar: '<= 0.5',
    }),
  );
} finally {
  idle.kill('SIGKILL');
  town.end();
}
