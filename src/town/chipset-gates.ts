/** The chipset file of a project, if it has one, and what its gates say before the town starts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Chipset,
  checkTopology,
  chipsetSchema,
  evaluateGates,
  type GateMeasures,
  mergeGupp,
} from '../domain/chipset.ts';
import { refused, usage } from '../domain/errors.ts';
import { toRecordText } from '../domain/json.ts';
import { median, summarize } from '../domain/metrics.ts';
import { parseYaml } from '../domain/yaml-value.ts';
import { writeAtomic } from '../store/atomic-write.ts';
import { chipsetPlace } from './chipset-place.ts';
import { type Town, withConfig } from './context.ts';
import { readSamples } from './deacon/samples.ts';
import { note } from './note.ts';

/** Null where the project has none. Throws exit 1 for one that is wrong, with file, line and column. */
function readChipset(root: string): { file: string; chipset: Chipset; warnings: string[] } | null {
  const file = chipsetPlace(root);
  if (file === undefined) return null;
  const yaml = parseYaml(readFileSync(join(root, file), 'utf8'), file);
  const parsed = chipsetSchema.safeParse(yaml.value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw usage(`${yaml.at(issue?.path ?? [])}: ${issue?.message ?? 'not a chipset'}`, 'mend the chipset file');
  }
  const { errors, warnings } = checkTopology(parsed.data);
  const [first, ...more] = errors;
  if (first !== undefined) {
    throw usage(`${file}: ${first}${more.length === 0 ? '' : ` (and ${more.length} more)`}`, 'mend the chipset file');
  }
  return { file, chipset: parsed.data, warnings: warnings.map((text) => `${file}: ${text}`) };
}

/** The town with what the chipset says of `gupp` behind its own configuration; itself where there is no chipset. */
export function withChipset(town: Town): Town {
  const gupp = mergeGupp(readChipset(town.root)?.chipset.gupp, town.config.gupp);
  return gupp === undefined ? town : withConfig(town, { ...town.config, gupp });
}

/** Evaluates the gates. Warnings are answered, `log` goes to the journal; a failed `block` throws exit 3. */
export function evaluateChipset(town: Town): string[] {
  const found = readChipset(town.root);
  if (found === null) return [];
  const warnings = [...found.warnings];
  const blocked: string[] = [];
  for (const { action, passed, message } of evaluateGates(found.chipset.evaluation.gates.pre_deploy, measure(town))) {
    note(town, passed ? 'chipset.gate' : `chipset.gate.${action}`, message);
    if (passed) continue;
    if (action === 'block') blocked.push(message);
    if (action === 'warn') warnings.push(`${found.file}: ${message}`);
  }
  if (blocked.length > 0) throw refused(`${found.file}: ${blocked.join('; ')}`, 'gastown doctor shows the records');
  return warnings;
}

function measure(town: Town): GateMeasures {
  const { samples } = readSamples(town, town.clock());
  const responses = summarize(samples, () => 0).responses.flatMap(({ seconds }) => seconds);
  return {
    agent_identity: share(town, ({ agent_id }) => isSound(town.store.agents.read(agent_id).kind)),
    hook_durability: isDurable(town) ? share(town, ({ agent_id }) => isSound(town.store.hooks.read(agent_id).kind)) : 0,
    gupp_response_time: median(responses),
  };
}

/** A record that is not there yet is made by the start; one that cannot be read is nobody's. */
const isSound = (kind: string): boolean => kind === 'ok' || kind === 'absent';

function share(town: Town, holds: (agent: Town['agents'][number]) => boolean): number | null {
  if (town.agents.length === 0) return null;
  return (100 * town.agents.filter(holds).length) / town.agents.length;
}

/** What is written beside the hooks is read back as it was. */
function isDurable(town: Town): boolean {
  const path = join(town.stateDir, 'runtime', 'durability.json');
  const text = toRecordText({ at: town.clock() });
  writeAtomic(path, text);
  return readFileSync(path, 'utf8') === text;
}
