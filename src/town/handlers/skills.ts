/**
 * Learned skills: one Markdown file each in `.chipset/skills`, with name, description and triggers in its head. A pattern
 * noticed at a stop is only proposed; it becomes a skill by a human's or an agent's command (`handlers/learner.json`).
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { refused, usage } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { storedText } from '../../domain/prose.ts';
import { checkedBy, listOf, number, objectOf, text, time } from '../../domain/shape.ts';
import { cleanLine, cleanText } from '../../domain/text.ts';
import { parseTime, toIso } from '../../domain/time.ts';
import { writeAtomic } from '../../store/atomic-write.ts';
import type { LockOptions } from '../../store/lock.ts';
import type { StatePaths } from '../../store/paths.ts';
import { handlerSlot, readState, type StatePlace, writeState } from '../state.ts';

export interface Skill {
  name: string;
  description: string;
  /** Lower case; any of them in a prompt offers the skill. */
  triggers: string[];
  path: string;
}

export interface Proposal {
  id: string;
  text: string;
  agent_id: string;
  at: string;
  /** How often it was noticed. */
  times: number;
}

interface Learned {
  proposals: Proposal[];
  /** By skill, when it was last offered to a session. */
  used: Record<string, string>;
  /** Texts that a human refused: they do not come again. */
  refused: string[];
}

const shape = checkedBy<Learned>(
  objectOf({
    proposals: listOf(objectOf({ id: text, text, agent_id: text, at: time, times: number })),
    used: objectOf({}),
    refused: listOf(text),
  }),
);
const slotOf = (place: StatePlace) => handlerSlot(place, 'learner', null, shape);
const nothing: Learned = { proposals: [], used: {}, refused: [] };
const kept = 50;

export const skillsFolder = ({ chipsetDir }: Pick<StatePaths, 'chipsetDir'>): string => join(chipsetDir, 'skills');

export function learnedOf(place: StatePlace): Learned {
  const read = readState(place, slotOf(place));
  return read.kind === 'ok' ? read.value : nothing;
}

/** By name. A file without a head, or one that is no plain file of a name, is no skill. */
export function skillsOf(paths: StatePaths): Skill[] {
  const folder = skillsFolder(paths);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && isId('agent', file.slice(0, -3)))
    .sort()
    .flatMap((file) => {
      const path = join(folder, file);
      const head = /^---\n([\s\S]*?)\n---/.exec(readFileSync(path, 'utf8').slice(0, 4_096))?.[1];
      if (head === undefined) return [];
      const value = (key: string): string => cleanLine(new RegExp(`^${key}:(.*)$`, 'm').exec(head)?.[1] ?? '');
      const triggers = value('triggers')
        .replace(/^\[|\]$/g, '')
        .split(',')
        .map((one) => one.trim().toLowerCase())
        .filter(Boolean);
      return [{ name: file.slice(0, -3), description: value('description'), triggers, path }];
    });
}

/** Skills a prompt asks for by one of their triggers as whole words, that are not aged out; at most five. */
export function matchingSkills(place: StatePlace, prompt: string, days: number, now: number): Skill[] {
  const said = ` ${prompt.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const skills = skillsOf(place.paths).filter(({ triggers }) =>
    triggers.some((trigger) => said.includes(` ${trigger.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `)),
  );
  if (skills.length === 0) return [];
  const { used } = learnedOf(place);
  return skills.filter(({ name }) => now - (parseTime(used[name]) ?? now) < days * 86_400_000).slice(0, 5);
}

export const noteUse = (place: StatePlace, names: readonly string[], now: number, options?: LockOptions) =>
  writeState(
    place,
    slotOf(place),
    (current) => {
      const learned = current ?? nothing;
      return { ...learned, used: { ...learned.used, ...Object.fromEntries(names.map((name) => [name, toIso(now)])) } };
    },
    options,
  );

/** A pattern that was noticed; the same one again only counts. */
export const propose = (
  place: StatePlace,
  { agentId, text: said, now }: { agentId: string; text: string; now: number },
  options?: LockOptions,
) =>
  writeState(
    place,
    slotOf(place),
    (current) => {
      const learned = current ?? nothing;
      const line = cleanLine(said).slice(0, 300);
      if (learned.refused.includes(keyOf(line))) return null;
      const known = learned.proposals.find((one) => keyOf(one.text) === keyOf(line));
      const others = learned.proposals.filter((one) => one !== known);
      const proposal = known
        ? { ...known, times: known.times + 1, at: toIso(now) }
        : { id: idFor(learned.proposals), text: line, agent_id: agentId, at: toIso(now), times: 1 };
      return { ...learned, proposals: [...others, proposal].slice(-kept) };
    },
    options,
  );

const keyOf = (line: string): string =>
  line
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim();
const idFor = (proposals: readonly Proposal[]): string =>
  `s${Math.max(0, ...proposals.map(({ id }) => Number(id.slice(1)) || 0)) + 1}`;

/** Writes a skill. Throws exit 1 for a bad name or empty words, exit 3 where one of that name is there. */
export async function addSkill(
  place: StatePlace,
  skill: { name: string; text: string; triggers: readonly string[] },
  now: number,
): Promise<Skill> {
  const { name } = skill;
  const isName: boolean = isId('agent', name);
  if (!isName) throw usage(`not a name for a skill: ${JSON.stringify(name.slice(0, 40))}`, 'use a-z, 0-9 and "-"');
  const body = cleanText(storedText(skill.text)).trim();
  if (body === '') throw usage('a skill says what to do', 'add it after the name');
  const path = join(skillsFolder(place.paths), `${name}.md`);
  if (existsSync(path))
    throw refused(`there is a skill ${name} already`, `remove it first: gastown skill remove ${name}`);
  const triggers = (skill.triggers.length > 0 ? skill.triggers : [name.replaceAll('-', ' ')]).map((one) =>
    cleanLine(one).replaceAll(',', ' '),
  );
  const description = cleanLine(body.split('\n')[0] ?? '').slice(0, 150);
  const head = [
    '---',
    `name: ${name}`,
    `description: ${description}`,
    `triggers: [${triggers.join(', ')}]`,
    `created_at: ${toIso(now)}`,
    '---',
  ];
  writeAtomic(path, `${head.join('\n')}\n\n${body}\n`);
  await noteUse(place, [name], now);
  return { name, description, triggers: triggers.map((one) => one.toLowerCase()), path };
}

/** Makes a proposal a skill. Throws exit 3 for an unknown one. */
export async function acceptProposal(
  place: StatePlace,
  id: string,
  name: string,
  triggers: readonly string[],
  now: number,
): Promise<Skill> {
  const proposal = learnedOf(place).proposals.find((one) => one.id === id);
  if (proposal === undefined) throw refused(`there is no proposal ${id}`, 'gastown skill list shows them');
  const skill = await addSkill(place, { name, text: proposal.text, triggers }, now);
  await dropProposal(place, id, false);
  return skill;
}

export async function dropProposal(place: StatePlace, id: string, forEver: boolean): Promise<void> {
  const written = await writeState(place, slotOf(place), (current) => {
    const found = current?.proposals.find((one) => one.id === id);
    if (!current || found === undefined) return null;
    return {
      ...current,
      proposals: current.proposals.filter((one) => one !== found),
      refused: forEver ? [...current.refused, keyOf(found.text)].slice(-500) : current.refused,
    };
  });
  if (!written.changed) throw refused(`there is no proposal ${id}`, 'gastown skill list shows them');
}

/** Throws exit 3 where there is none of that name. */
export function removeSkill(paths: StatePaths, name: string): void {
  const path = isId('agent', name) ? join(skillsFolder(paths), `${name}.md`) : null;
  if (path === null || !existsSync(path))
    throw refused(`there is no skill ${name.slice(0, 40)}`, 'gastown skill list shows them');
  rmSync(path);
}
