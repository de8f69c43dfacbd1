/** Policy `gate.human_ack`: whether a human must have acknowledged these very bytes before anyone dissolves them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statePaths } from '../../store/paths.ts';
import { resolveRoot } from '../../store/resolve-root.ts';
import { readLedger } from './ledger.ts';

/**
 * The configuration in force of the town this tree belongs to: the recorded one while the town runs, else
 * `gastown.yaml`. A file that names the policy but cannot be parsed counts as `required`.
 */
export async function isAckRequired(tree: string): Promise<boolean> {
  const { root, stateDir } = resolveRoot({ cwd: tree, env: {} });
  const recorded = parsed(readText(statePaths(stateDir).town));
  if (field(recorded, 'running') === true) return isRequired(field(recorded, 'config'));
  const text = readText(join(root, 'gastown.yaml'));
  // The parser is loaded only for a file that has the word: dissolving stays cheap.
  if (!text.includes('human_ack')) return false;
  const { parseConfig } = await import('../../domain/config-parse.ts');
  try {
    return isRequired(parseConfig(text, 'gastown.yaml').config);
  } catch {
    return true;
  }
}

export const isAcknowledged = (folder: string, sha256: string): boolean =>
  readLedger(folder).some((entry) => entry.event === 'acknowledged' && entry.sha256 === sha256);

const isRequired = (config: unknown): boolean => field(field(config, 'gate'), 'human_ack') === 'required';

const field = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
