/** `gastown doctor`: everything the town depends on, each with a finding and what to do about it. */
import { GastownError } from '../../domain/errors.ts';
import { resolveRoot } from '../../store/resolve-root.ts';
import { openStore } from '../../store/store.ts';
import { type Env, openTown, type Town } from '../context.ts';
import { ignoreState } from '../init.ts';
import { type Check, check } from './check.ts';
import { machineChecks } from './machine.ts';
import { repositoryChecks } from './repository.ts';
import { townChecks } from './running.ts';
import { runtimeChecks } from './runtimes.ts';
import { stateChecks } from './state.ts';

export type { Check } from './check.ts';

/**
 * With `fix`, what is safe to repair is repaired and looked at again; nothing is started, stopped, or taken from anyone.
 * A configuration or socket that keeps the town from being opened is a finding, not a failure of the doctor.
 */
export async function doctor({ cwd, env, fix }: { cwd: string; env: Env; fix: boolean }): Promise<Check[]> {
  const { root, stateDir } = resolveRoot({ cwd, env });
  const now = Date.now();
  const opened = await open(cwd, env);
  const parts = await Promise.all([
    machineChecks(root, env),
    repositoryChecks(root, now, fix ? () => void ignoreState(root) : null),
    Promise.resolve([opened.check]),
    opened.town === null ? [] : runtimeChecks(opened.town),
    stateChecks(openStore(stateDir), now, fix),
    opened.town === null ? [] : townChecks(opened.town, fix),
  ]);
  return parts.flat();
}

async function open(cwd: string, env: Env): Promise<{ town: Town | null; check: Check }> {
  try {
    const town = await openTown({ cwd, env });
    const agents = `${town.agents.length} agents`;
    if (!town.configured) {
      return { town, check: check('configuration', 'gastown.yaml', 'warn', 'there is none here', 'gastown init') };
    }
    const from = town.recorded?.running ? 'as recorded when the town came up' : 'gastown.yaml';
    return { town, check: check('configuration', 'gastown.yaml', 'ok', [agents, from, ...town.warnings].join(', ')) };
  } catch (error) {
    if (!(error instanceof GastownError)) throw error;
    return { town: null, check: check('configuration', 'gastown.yaml', 'fail', error.message, error.next) };
  }
}
