/** Whom a changed state file concerns. */
import { basename, dirname, relative, sep } from 'node:path';
import type { Town } from '../context.ts';

export type Touched =
  | { kind: 'agent'; id: string }
  | { kind: 'bead'; id: string }
  | { kind: 'session'; id: string }
  /** A gate, of an agent or a bead. */
  | { kind: 'either'; id: string }
  | { kind: 'everyone' }
  /** Nothing the patrol looks at. */
  | { kind: 'nobody' };

export function touchedBy(town: Pick<Town, 'stateDir'>, path: string): Touched {
  const inside = relative(town.stateDir, path);
  const id = basename(inside).replace(/\..*$/, '');
  switch (inside.split(sep)[0]) {
    case 'hooks':
    case 'agents':
    case 'heartbeat':
      return { kind: 'agent', id };
    case 'nudge':
      return { kind: 'agent', id: inside.includes(`${sep}from${sep}`) ? id : basename(dirname(inside)) };
    case 'deacon':
      if (inside.includes(`${sep}agents${sep}`)) return { kind: 'agent', id };
      return inside.includes(`${sep}beads${sep}`) ? { kind: 'bead', id } : { kind: 'nobody' };
    case 'sessions':
      return { kind: 'session', id };
    case 'modes':
      // `modes/<session>/<mode>.json`; the tombstones beside them concern nobody: who is cancelled is owed nothing.
      return inside.split(sep).length === 3 ? { kind: 'session', id: basename(dirname(inside)) } : { kind: 'nobody' };
    case 'handlers':
      // What an event left to be done: the patrol itself looks at none of it.
      return ['background-notification', 'session-end'].includes(id) ? { kind: 'everyone' } : { kind: 'nobody' };
    case 'work':
      return { kind: 'bead', id };
    case 'gates':
      return id === 'town' ? { kind: 'everyone' } : { kind: 'either', id };
    case 'escalations':
    case 'town.json':
      return { kind: 'everyone' };
    default:
      return { kind: 'nobody' };
  }
}
