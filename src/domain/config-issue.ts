/** What is wrong with a value of `gastown.yaml`, in words: from zod's issues, with the nearest valid key or word. */
import type * as z from 'zod/mini';
import { suggestion } from './nearest.ts';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

export interface Explained {
  /** Ends at the offending key. */
  path: PropertyKey[];
  message: string;
  next: string;
  missing: boolean;
}

export function explainIssue(issue: Issue, schema: Schema, root: unknown): Explained {
  const path = [...issue.path];
  const name = path.length === 0 ? 'the file' : pathText(path);
  const given = valueAt(root, path);
  const answer = (message: string, next = ''): Explained => ({ path, message, next, missing: given === undefined });
  switch (issue.code) {
    case 'unrecognized_keys': {
      const key = issue.keys[0] ?? '';
      const where = path.length === 0 ? '' : ` in ${pathText(path)}`;
      const next = suggestion(key, keysAt(schema, path));
      return { path: [...path, key], message: `unknown key ${show(key)}${where}`, next, missing: false };
    }
    case 'invalid_type':
      return given === undefined
        ? answer(`${name} is missing`)
        : answer(`${name} must be ${article(issue.expected)}, not ${show(given)}`);
    case 'invalid_value': {
      const words = issue.values.map(String);
      return answer(`${name}: ${show(given)} is not known`, suggestion(String(given), words));
    }
    case 'too_small':
      return issue.origin === 'array' || issue.origin === 'string'
        ? answer(`${name} is empty`)
        : answer(`${name} is ${show(given)}, less than ${issue.minimum}`);
    case 'too_big':
      return answer(`${name} is ${show(given)}, more than ${issue.maximum}`);
    case 'invalid_format':
      return answer(`${name}: ${show(given)} is not ${issue.format === 'url' ? 'a URL' : 'of the right form'}`);
    case 'invalid_key':
      return answer(`${name} is not a name that can be used here`);
    default:
      return answer(`${name}: ${show(given)} cannot be used here`);
  }
}

/** `agents[0].role` */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');

/** The keys that are valid at `path`, read from the schema itself. */
function keysAt(schema: Schema, path: readonly PropertyKey[]): string[] {
  const here = path.reduce<Schema | null>((at, key) => (at === null ? null : step(at, key)), schema);
  const def = here === null ? null : bare(here);
  return def?.type === 'object' ? Object.keys((def as z.core.$ZodObjectDef).shape) : [];
}

function step(schema: Schema, key: PropertyKey): Schema | null {
  const def = bare(schema);
  if (def.type === 'object') return (def as z.core.$ZodObjectDef).shape[String(key)] ?? null;
  if (def.type === 'array') return (def as z.core.$ZodArrayDef).element;
  if (def.type === 'record') return (def as z.core.$ZodRecordDef).valueType;
  return null;
}

function bare(schema: Schema): z.core.$ZodTypeDef {
  let def = schema._zod.def;
  while (def.type === 'optional' || def.type === 'nullable') {
    def = (def as z.core.$ZodOptionalDef).innerType._zod.def;
  }
  return def;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) value = value === null || typeof value !== 'object' ? undefined : Reflect.get(value, key);
  return value;
}

const article = (expected: string): string =>
  ({ string: 'text', number: 'a number', int: 'a whole number', boolean: 'true or false', array: 'a list' })[
    expected
  ] ?? 'a map';

function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value !== null && typeof value === 'object') return 'a map';
  if (value === null) return 'nothing';
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value) ?? String(value);
}
