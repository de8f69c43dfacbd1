import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainIssue } from '../domain/config-issue.ts';
import { usage } from '../domain/errors.ts';
import { type Layout, layoutSchema } from '../domain/layout.ts';
import { suggestion } from '../domain/nearest.ts';

/**
 * The layout of a name: `layouts/<name>.yaml` of the first folder that has it, the town's own before the shipped ones.
 * Throws a usage error (exit 1) that names the file, line and key, or the layouts there are.
 */
export async function loadLayout(name: string, folders: readonly string[]): Promise<Layout> {
  const path = folders
    .map((folder) => join(folder, `${name}.yaml`))
    .find((file) => isLayoutName(name) && existsSync(file));
  if (path) return parseLayout(readFileSync(path, 'utf8'), path);
  const known = layoutNames(folders);
  throw usage(`there is no layout "${name}"`, suggestion(name, known) || `layouts: ${known.join(', ')}`);
}

/** Names of all layouts in these folders, sorted. */
export function layoutNames(folders: readonly string[]): string[] {
  const files = folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
  const names = files.filter((file) => file.endsWith('.yaml')).map((file) => file.slice(0, -'.yaml'.length));
  return [...new Set(names.filter(isLayoutName))].sort();
}

/** Strict: unknown keys and wrong values are errors at their place in `fileName`. */
export async function parseLayout(text: string, fileName: string): Promise<Layout> {
  // The YAML parser is only loaded where a layout is read: `status` must not pay for it.
  const { parseYaml } = await import('../domain/yaml-value.ts');
  const yaml = parseYaml(text, fileName);
  if (typeof yaml.value !== 'object' || yaml.value === null || Array.isArray(yaml.value)) {
    throw usage(`${yaml.at([])}: a layout must be a map of keys: name, description, control, agents`);
  }
  const parsed = layoutSchema.safeParse(yaml.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues.map((each) => explainIssue(each, layoutSchema, yaml.value));
  if (!issue) throw usage(`${fileName} is not a valid layout`);
  throw usage(`${yaml.at(issue.path)}: ${issue.message}`, issue.next);
}

const isLayoutName = (name: string): boolean => /^[a-z][a-z0-9-]{0,30}$/.test(name);
