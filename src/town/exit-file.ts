import { join } from 'node:path';
import type { AgentRecord } from '../domain/records.ts';
import type { Town } from './context.ts';

/** The runner writes the program's exit code here; absent while it runs. */
export const exitFileOf = (town: Pick<Town, 'stateDir'>, run: Pick<AgentRecord, 'agent_id' | 'instance_id'>): string =>
  join(town.stateDir, 'runtime', `${run.agent_id}.${run.instance_id}.exit`);
