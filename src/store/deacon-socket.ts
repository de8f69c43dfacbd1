import { join } from 'node:path';

/** What every system takes as the path of a socket; macOS has the least. */
const pathLimitBytes = 103;

/** Where the deacon of this state folder answers; null where the path would be too long, and nobody asks it. */
export function deaconSocket(stateDir: string): string | null {
  const path = join(stateDir, 'deacon.sock');
  return Buffer.byteLength(path) > pathLimitBytes ? null : path;
}
