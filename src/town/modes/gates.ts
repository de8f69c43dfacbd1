/** Running what a mode's `run` step asks for: claimed on record, run, and told to the mode, unless it was cancelled since. */

import type { Way } from '../../domain/mode/apply.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { lookAt, ownIdentity } from '../../store/process-identity.ts';
import { requireReadable } from '../../store/record.ts';
import type { Env } from '../context.ts';
import type { EventStore } from '../events/store.ts';
import { type Advanced, advanceMode } from './advance.ts';
import { changeMode } from './change.ts';
import { lookAtMode, modesConfig, treeOf } from './look.ts';
import { runCommands } from './run-commands.ts';
import { tellJournal } from './tell-journal.ts';

/** Commands that nobody runs: not claimed, or claimed by a process that died. */
export const isRunnable = ({ next }: ModeRecord): boolean =>
  next?.kind === 'run' && (!next.running || (next.runner !== undefined && lookAt(next.runner) === 'gone'));

const defaultLimitSeconds = 900;

/** Null where another runs them, or the run is over. `clock`: ms; asked again afterwards. */
export async function runGates(
  store: EventStore,
  record: ModeRecord,
  { way, by, env, clock, signal }: { way: Way; by: string; env: Env; clock: () => number; signal?: AbortSignal },
): Promise<Advanced | null> {
  let claimed = false;
  const taken = await changeMode(store, record, (current) => {
    claimed = isRunnable(current);
    if (!claimed || current.next?.kind !== 'run') return null;
    return { ...current, next: { ...current.next, running: true, runner: { ...ownIdentity() } } };
  });
  if (taken?.next?.kind !== 'run' || !claimed) return null;
  const agent = requireReadable(store.agents.place(record.agent_id), store.agents.read(record.agent_id));
  if (agent === null) return null;
  const config = modesConfig(store);
  const results = await runCommands(taken.next.commands, {
    cwd: treeOf(store, agent),
    env: commandEnv(env),
    limitMs: (config.timeout ?? defaultLimitSeconds) * 1000,
    ...(signal === undefined ? {} : { signal }),
  });
  if (signal?.aborted) {
    await changeMode(store, record, (current) =>
      current.next?.kind === 'run' ? { ...current, next: { ...current.next, running: false } } : null,
    );
    return null;
  }
  const said = results.map(({ name, code }) => `${name} ${code === 0 ? 'ok' : `failed (${code ?? 'no exit code'})`}`);
  tellJournal(store, record, 'mode.gates', `${record.mode} of ${record.agent_id}: ${said.join(', ')}`, by, clock());
  return advanceMode(store, {
    run: record,
    event: { kind: 'ran', results },
    facts: lookAtMode(store, agent, config),
    way,
    by,
    now: clock(),
    onlyIf: ({ next }) => next?.kind === 'run' && next.running,
  });
}

/** What makes our own processes known to themselves is not for the user's commands. */
function commandEnv(env: Env): NodeJS.ProcessEnv {
  const ours = (name: string): boolean => name.startsWith('GT_') || name === 'NODE_OPTIONS';
  return Object.fromEntries(Object.entries({ ...env, CI: env['CI'] ?? '1' }).filter(([name]) => !ours(name)));
}
