/** `gastown skill`: what the town learned and offers again; nothing becomes a skill before a human says so. */
import {
  acceptProposal,
  addSkill,
  dropProposal,
  learnedOf,
  removeSkill,
  skillsOf,
} from '../../town/handlers/skills.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

const triggersOf = (call: Call): string[] =>
  (call.text('triggers') ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

export async function list(call: Call): Promise<undefined> {
  const { store } = await call.town();
  const found = { skills: skillsOf(store.paths), proposals: learnedOf(store).proposals };
  print(call, found, () => [
    ...(found.skills.length === 0 ? ['no skills'] : []),
    ...found.skills.map(({ name, description }) => `${name}  ${description}`),
    ...found.proposals.map(({ id, text, times }) => `proposal ${id} (noticed ${times} times): ${text}`),
  ]);
}

export async function add(call: Call): Promise<undefined> {
  const town = await call.town();
  const wanted = { name: call.args[0] ?? '', text: call.rest.join(' '), triggers: triggersOf(call) };
  const skill = await addSkill(town.store, wanted, town.clock());
  print(call, skill, () => [`${skill.name} is offered where a prompt says ${skill.triggers.join(' or ')}`]);
}

export async function accept(call: Call): Promise<undefined> {
  const town = await call.town();
  const [id = '', name = ''] = call.args;
  const skill = await acceptProposal(town.store, id, name, triggersOf(call), town.clock());
  print(call, skill, () => [`${id} is the skill ${skill.name} now`]);
}

export async function reject(call: Call): Promise<undefined> {
  const { store } = await call.town();
  const id = call.args[0] ?? '';
  await dropProposal(store, id, true);
  print(call, { id, rejected: true }, () => [`${id} does not come again`]);
}

export async function remove(call: Call): Promise<undefined> {
  const { store } = await call.town();
  const name = call.args[0] ?? '';
  removeSkill(store.paths, name);
  print(call, { name, removed: true }, () => [`${name} is removed`]);
}
