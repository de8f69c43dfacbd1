import type { Canary } from '../../town/events/canary.ts';
import type { EventsPlace } from '../../town/events/install.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

/** What `events install | verify | uninstall` print for each runtime: where, how it stands, what to do. */
export async function install(call: Call): Promise<undefined> {
  const { eventRuntimes, installEvents } = await import('../../town/events/install.ts');
  const town = await call.town();
  const places: EventsPlace[] = [];
  for (const runtime of eventRuntimes(town, call.args[0] ?? null)) places.push(await installEvents(town, runtime));
  return print(call, { events: places }, () => places.map(lineOf));
}

export async function uninstall(call: Call): Promise<undefined> {
  const { eventRuntimes, uninstallEvents } = await import('../../town/events/install.ts');
  const town = await call.town();
  const places: EventsPlace[] = [];
  for (const runtime of eventRuntimes(town, call.args[0] ?? null)) places.push(await uninstallEvents(town, runtime));
  return print(call, { events: places }, () => places.map(lineOf));
}

/** Exit 3 when a canary that should arrive does not. */
export async function verify(call: Call): Promise<number> {
  const { agentsOf, eventRuntimes, findEvents } = await import('../../town/events/install.ts');
  const { fireCanary } = await import('../../town/events/canary.ts');
  const town = await call.town();
  const places = eventRuntimes(town, call.args[0] ?? null).map((runtime) => findEvents(town, runtime));
  const agents = agentsOf(town, places);
  const canaries: (Canary & { agent_id: string })[] = [];
  for (const { agent_id } of agents) canaries.push({ agent_id, ...(await fireCanary(town, agent_id)) });
  print(call, { events: places, canaries }, () => [
    ...places.map(lineOf),
    ...canaries.map(
      ({ agent_id, arrived, why }) => `${agent_id}: canary ${arrived ? 'arrived' : `did not arrive: ${why}`}`,
    ),
  ]);
  const fails = canaries.some(({ arrived, command }) => !arrived && command !== null);
  return fails || places.some(({ state }) => state === 'broken') ? 3 : 0;
}

const lineOf = (place: EventsPlace): string =>
  [`${place.runtime}: ${place.state}`, place.path, place.detail].filter((part) => part).join(' · ');
