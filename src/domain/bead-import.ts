/** Beads from text: JSON lines, or a Markdown task list. Pure; every mistake names its line, and nothing is half read. */
import * as z from 'zod/mini';
import { priorities } from './bead.ts';
import { usage } from './errors.ts';
import { parseId } from './ids.ts';
import { suggestion } from './nearest.ts';

export interface ImportedBead {
  line: number;
  title: string;
  description: string;
  priority: (typeof priorities)[number];
  needs: string[];
  bead_id: string | undefined;
}

const lineSchema = z.strictObject({
  title: z.string(),
  description: z.optional(z.string()),
  priority: z.optional(z.enum(priorities)),
  needs: z.optional(z.array(z.string())),
  bead_id: z.optional(z.string()),
});

/** `name` is the file's, for messages. Text without any bead is a usage error too. */
export function parseImport(text: string, name: string): ImportedBead[] {
  if (text.includes('\0')) throw usage(`${name} is not text`, 'give JSON lines or a Markdown task list');
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const isJson =
    lines
      .find((line) => line.trim() !== '')
      ?.trimStart()
      .startsWith('{') === true;
  const beads = isJson ? fromJsonLines(lines, name) : fromMarkdown(lines);
  if (beads.length === 0) {
    throw usage(`${name} holds no beads`, 'give JSON lines {"title": "…"} or lines like "- [ ] title"');
  }
  checkNeeds(beads, name);
  return beads;
}

function fromJsonLines(lines: readonly string[], name: string): ImportedBead[] {
  return lines.flatMap((text, index) => {
    if (text.trim() === '') return [];
    const line = index + 1;
    const parsed = lineSchema.safeParse(parseJson(text, `${name}:${line}`));
    if (!parsed.success) throw usage(`${name}:${line}: ${explain(parsed.error.issues[0])}`);
    const { title, description = '', priority = 'P2', needs = [], bead_id } = parsed.data;
    if (title.trim() === '') throw usage(`${name}:${line}: the title is empty`);
    for (const id of bead_id === undefined ? needs : [bead_id, ...needs]) checkId(id, `${name}:${line}`);
    return [{ line, title, description, priority, needs, bead_id }];
  });
}

/** `- [ ] title` at any depth; lines indented below it are its description; ticked ones are done and left out. */
function fromMarkdown(lines: readonly string[]): ImportedBead[] {
  const beads: ImportedBead[] = [];
  let open: { bead: ImportedBead | null; indent: number } | null = null;
  lines.forEach((text, index) => {
    const task = /^(\s*)(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(.*\S)/.exec(text);
    if (task) {
      const isDone = task[2] !== ' ';
      const bead: ImportedBead = {
        line: index + 1,
        title: task[3] ?? '',
        description: '',
        priority: 'P2',
        needs: [],
        bead_id: undefined,
      };
      if (!isDone) beads.push(bead);
      open = { bead: isDone ? null : bead, indent: task[1]?.length ?? 0 };
      return;
    }
    const indent = /^\s*/.exec(text)?.[0].length ?? 0;
    if (text.trim() === '' || !open || indent <= open.indent) {
      if (text.trim() !== '') open = null;
      return;
    }
    if (open.bead) open.bead.description += `${open.bead.description === '' ? '' : '\n'}${text.trim()}`;
  });
  return beads;
}

/** Ids are given once; no bead needs itself, by whatever way round. */
function checkNeeds(beads: readonly ImportedBead[], name: string): void {
  const byId = new Map<string, ImportedBead>();
  for (const bead of beads) {
    if (bead.bead_id === undefined) continue;
    const first = byId.get(bead.bead_id);
    if (first) throw usage(`${name}:${bead.line}: ${bead.bead_id} is given twice, first in line ${first.line}`);
    byId.set(bead.bead_id, bead);
  }
  const done = new Set<string>();
  for (const start of byId.keys()) {
    // Depth first, without recursion: a chain may be as long as the file.
    const path: { id: string; rest: string[] }[] = [{ id: start, rest: [...(byId.get(start)?.needs ?? [])] }];
    const onPath = new Set([start]);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        path.pop();
        onPath.delete(top.id);
        done.add(top.id);
      } else if (onPath.has(next)) {
        throw usage(`${name}:${byId.get(top.id)?.line ?? 0}: ${top.id} needs ${next}, which needs ${top.id} in turn`);
      } else if (!done.has(next) && byId.has(next)) {
        path.push({ id: next, rest: [...(byId.get(next)?.needs ?? [])] });
        onPath.add(next);
      }
    }
  }
}

function parseJson(text: string, at: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${at}: not JSON`, 'one object on each line, like {"title": "…"}');
  }
}

function checkId(id: string, at: string): void {
  try {
    parseId('bead', id);
  } catch (error) {
    throw usage(`${at}: ${error instanceof Error ? error.message : ''}`, 'bead ids look like gt-abc12');
  }
}

function explain(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    return `unknown key ${JSON.stringify(key)}; ${suggestion(key, Object.keys(lineSchema._zod.def.shape))}`;
  }
  const path = issue?.path.join('.') ?? '';
  return path === '' ? 'not an object {"title": "…"}' : `${path} is missing or of the wrong form`;
}
