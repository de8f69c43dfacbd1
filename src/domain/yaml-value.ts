/**
 * YAML text → plain value with the position of every key, within limits (field report 60). Merge keys (`<<`) are
 * merged, aliases shared; cycles, bombs, unknown tags, duplicate keys, several documents and `__proto__` are errors.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml';
import { type GastownError, usage } from './errors.ts';
import { cleanLine } from './text.ts';

export interface YamlValue {
  /** Null for a file without content. */
  value: unknown;
  /** `fileName:line:column` of the deepest key or item of `path` that is in the text. */
  at(path: readonly PropertyKey[]): string;
}

/** Characters of a file; 1,000 agents with arguments need a tenth of it. */
const maxLength = 1_000_000;
/** Values after aliases are expanded: an alias counts as much as what it stands for. */
const maxValues = 100_000;

/** Throws a usage error (exit 1) that begins with `fileName:line:column`. */
export function parseYaml(text: string, fileName: string): YamlValue {
  if (text.length > maxLength) {
    throw usage(`${fileName}: ${text.length} characters, more than the limit of ${maxLength}`);
  }
  const lines = new LineCounter();
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${fileName}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(body);
  if (control) {
    const line = body.slice(0, control.index).split('\n');
    throw usage(`${fileName}:${line.length}:${(line.at(-1)?.length ?? 0) + 1}: a control character, not YAML text`);
  }
  try {
    const document = parseDocument(body, { lineCounter: lines, prettyErrors: false, keepSourceTokens: false });
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem) throw usage(`${place(problem.pos[0])}: ${cleanLine(problem.message)}`);
    return new Converter(place).convert(document.contents);
  } catch (error) {
    if (error instanceof RangeError) throw usage(`${fileName}: nested too deeply`);
    throw error;
  }
}

interface Converted {
  value: unknown;
  /** Values in it, aliases expanded. */
  size: number;
}

class Converter {
  private readonly anchors = new Map<string, ParsedNode>();
  private readonly done = new Map<ParsedNode, Converted>();
  private readonly open = new Set<ParsedNode>();
  /** For each map or list made: the node, and the offset of each key or item. */
  private readonly places = new Map<object, { offset: number; keys: Map<string, number> }>();
  private readonly place: (offset: number) => string;

  constructor(place: (offset: number) => string) {
    this.place = place;
  }

  convert(contents: ParsedNode | null): YamlValue {
    const value = contents === null ? null : this.node(contents).value;
    return { value, at: (path) => this.place(this.offsetOf(value, path)) };
  }

  private node(node: ParsedNode): Converted {
    if (isAlias(node)) return this.alias(node);
    if (node.anchor) this.anchors.set(node.anchor, node);
    this.open.add(node);
    const converted = isMap(node)
      ? this.map(node.items as { key: ParsedNode; value: ParsedNode | null }[], offsetOf(node))
      : isSeq(node)
        ? this.list(node.items as ParsedNode[], offsetOf(node))
        : { value: isScalar(node) ? node.value : null, size: 1 };
    this.open.delete(node);
    this.done.set(node, converted);
    if (converted.size > maxValues) throw this.error(node, `aliases expand to more than ${maxValues} values`);
    return converted;
  }

  private alias(node: ParsedNode & { source: string }): Converted {
    const target = this.anchors.get(node.source);
    if (!target) throw this.error(node, `no anchor &${cleanLine(node.source)} before this alias`);
    const converted = this.done.get(target);
    if (this.open.has(target) || !converted) throw this.error(node, `*${cleanLine(node.source)} contains itself`);
    return converted;
  }

  private list(items: readonly ParsedNode[], offset: number): Converted {
    const value: unknown[] = [];
    const keys = new Map<string, number>();
    let size = 1;
    for (const item of items) {
      const converted = this.node(item);
      keys.set(String(value.length), offsetOf(item));
      value.push(converted.value);
      size += converted.size;
    }
    this.places.set(value, { offset, keys });
    return { value, size };
  }

  private map(pairs: readonly { key: ParsedNode; value: ParsedNode | null }[], offset: number): Converted {
    const value: Record<string, unknown> = {};
    const keys = new Map<string, number>();
    const merged: { from: unknown; node: ParsedNode }[] = [];
    let size = 1;
    for (const pair of pairs) {
      const name = this.keyName(pair.key);
      const inner = pair.value === null ? { value: null, size: 1 } : this.node(pair.value);
      size += inner.size;
      if (name === '<<') {
        merged.push({ from: inner.value, node: pair.key });
      } else {
        keys.set(name, offsetOf(pair.key));
        value[name] = inner.value;
      }
    }
    for (const { from, node } of merged) this.merge(value, keys, from, node);
    this.places.set(value, { offset, keys });
    return { value, size };
  }

  private keyName(key: ParsedNode): string {
    const resolved = isAlias(key) ? this.alias(key).value : isScalar(key) ? key.value : undefined;
    if (isScalar(key) && key.anchor) this.node(key);
    if (!['string', 'number', 'boolean'].includes(typeof resolved)) throw this.error(key, 'a key must be a plain word');
    const name = String(resolved);
    if (['__proto__', 'constructor', 'prototype'].includes(name)) throw this.error(key, `"${name}" cannot be a key`);
    return name;
  }

  /** Keys written out win over merged ones, wherever they stand; of several sources the first wins. */
  private merge(into: Record<string, unknown>, keys: Map<string, number>, from: unknown, node: ParsedNode): void {
    for (const source of Array.isArray(from) ? from : [from]) {
      if (source === null || typeof source !== 'object' || Array.isArray(source)) {
        throw this.error(node, '"<<" merges maps only');
      }
      for (const [name, value] of Object.entries(source)) {
        if (Object.hasOwn(into, name)) continue;
        into[name] = value;
        keys.set(name, offsetOf(node));
      }
    }
  }

  private offsetOf(root: unknown, path: readonly PropertyKey[]): number {
    let here = root;
    let offset = 0;
    for (const key of path) {
      const known = here !== null && typeof here === 'object' ? this.places.get(here) : undefined;
      if (!known) break;
      const at = known.keys.get(String(key));
      if (at === undefined) return known.offset;
      offset = at;
      here = (here as Record<PropertyKey, unknown>)[key];
    }
    const known = path.length === 0 && root !== null && typeof root === 'object' ? this.places.get(root) : undefined;
    return known?.offset ?? offset;
  }

  private error(node: Node, message: string): GastownError {
    return usage(`${this.place(offsetOf(node))}: ${message}`);
  }
}

const offsetOf = (node: Node): number => node.range?.[0] ?? 0;
