/** The handlers of this town as people see them: the catalogue with what is in force, then the town's own. */
import { catalogue, eventsOf } from '../../domain/handlers/catalogue.ts';
import { knownRuntimes } from '../../domain/handlers/entry.ts';
import { isOn } from '../../domain/handlers/in-force.ts';
import type { HandlerView } from '../../domain/handlers/view.ts';
import { roles } from '../../domain/role.ts';
import type { Town } from '../context.ts';
import { ownFiles } from './own.ts';

export function handlersOf(town: Pick<Town, 'config' | 'store'>): HandlerView[] {
  const config = town.config.handlers ?? {};
  const known = catalogue.map((entry): HandlerView => {
    const on = roles.filter((role) => isOn(entry, config, role));
    return {
      name: entry.name,
      group: entry.group,
      events: eventsOf(entry.looks),
      priority: entry.priority,
      enabled: on.length > 0,
      roles: on,
      does: entry.does,
      runtimes: entry.runtimes,
      relies: entry.relies ?? {},
    };
  });
  const own = ownFiles(town.store).map(
    ({ file, state, trusted }): HandlerView => ({
      name: trusted?.name ?? file.slice(0, -4),
      group: 'own',
      events: trusted === null ? [] : eventsOf(trusted.looks),
      priority: trusted?.priority ?? 100,
      enabled: state === 'trusted',
      roles: state === 'trusted' ? roles : [],
      does: `.chipset/handlers/${file}: ${ownStates[state]}`,
      runtimes: knownRuntimes,
      relies: {},
    }),
  );
  return [...known, ...own];
}

const ownStates = {
  trusted: 'the town’s own; trusted',
  changed: 'has changed since it was trusted and does not run: gastown handlers trust FILE',
  untrusted: 'never trusted and does not run: read it, then gastown handlers trust FILE',
  missing: 'trusted, but the file is gone',
} as const;
