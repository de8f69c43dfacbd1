/** Which agents a changed state file concerns. */
import { basename, dirname, relative, sep } from 'node:path';
import type { Town } from '../context.ts';

/** `all` where the file does not tell; an empty list for what the patrol does not look at. */
export function agentsTouched(town: Pick<Town, 'stateDir'>, path: string): readonly string[] | 'all' {
  const inside = relative(town.stateDir, path);
  const name = basename(inside).replace(/\..*$/, '');
  switch (inside.split(sep)[0]) {
    case 'hooks':
    case 'agents':
    case 'heartbeat':
      return [name];
    case 'nudge':
      return [inside.includes(`${sep}from${sep}`) ? name : basename(dirname(inside))];
    case 'deacon':
      return inside.includes(`${sep}agents${sep}`) ? [name] : inside.includes(`${sep}beads${sep}`) ? 'all' : [];
    case 'sessions':
    case 'gates':
    case 'work':
    case 'escalations':
    case 'town.json':
      return 'all';
    default:
      return [];
  }
}
