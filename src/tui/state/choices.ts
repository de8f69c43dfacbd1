/** Lines of the pickers: ready beads, agents, and the palette. */
import { go } from 'fuzzysort';
import { readyBeads } from '../../domain/bead.ts';
import type { AgentView, TownView } from '../../domain/view.ts';
import type { Action } from './action.ts';
import { type Context, isRunning, workOf } from './context.ts';
import { sortAgents } from './order.ts';
import type { Choice } from './ui-state.ts';

/** Id of the line that makes a new bead of what was typed. */
export const newBeadChoice = '+new';
/** Id of the line that lets the town pick the agent. */
export const autoChoice = '+auto';

const contains = (text: string, query: string): boolean => text.toLowerCase().includes(query.toLowerCase());

/** Ready beads whose id or title contains the typed text, then the typed text as a new bead: never a bead by mere likeness. */
export function beadChoices(view: TownView, query: string): Choice[] {
  const typed = query.trim();
  const found = readyBeads(view.beads)
    .filter((bead) => contains(`${bead.bead_id} ${bead.title}`, typed))
    .map((bead) => ({ id: bead.bead_id, text: `${bead.bead_id}  ${bead.title}`, note: bead.priority, why: null }));
  return typed === '' ? found : [...found, { id: newBeadChoice, text: `new: ${typed}`, note: '', why: null }];
}

export function agentChoices(view: TownView, query: string): Choice[] {
  const typed = query.trim();
  const named = sortAgents(view.agents, 'name');
  const agents = [...named]
    .sort((a, b) => readiness(a) - readiness(b))
    .map((agent) => ({
      id: agent.agent_id,
      text: agent.agent_id,
      note: `${agent.runtime}, ${agent.state}`,
      why: whyNoSling(agent),
    }));
  const auto = { id: autoChoice, text: 'auto', note: 'the town picks an idle agent', why: null };
  const free = agents.filter(({ why }) => why === null);
  const taken = agents.filter(({ why }) => why !== null);
  return [auto, ...free, ...taken].filter(({ text, note }) => contains(`${text} ${note}`, typed));
}

/** Idle agents first, then running ones, then those that must be started. */
const readiness = (agent: AgentView): number => (agent.state === 'idle' ? 0 : isRunning(agent) ? 1 : 2);

function whyNoSling(agent: AgentView): string | null {
  if (agent.hook.status === 'corrupt') return 'hook file is corrupt';
  return agent.hook.status === 'empty' ? null : `hook is ${agent.hook.status} (${workOf(agent)?.bead_id ?? ''})`;
}

/** Actions of this screen and all agents, best match first; what cannot be done now stays, with its reason. */
export function paletteChoices(context: Context, actions: readonly Action[], query: string): Choice[] {
  const choices: Choice[] = [
    ...actions
      .filter(({ group, name }) => group !== 'move' && name !== 'palette' && name !== 'back')
      .map((action) => ({
        id: action.name,
        text: action.name,
        note: action.does,
        why: action.whyNot(context),
      })),
    ...context.view.agents.map((agent) => ({
      id: `@${agent.agent_id}`,
      text: agent.agent_id,
      note: `select it (${agent.state})`,
      why: null,
    })),
  ];
  const typed = query.trim();
  return typed === '' ? choices : go(typed, choices, { key: 'text', limit: 50, threshold: 0.2 }).map(({ obj }) => obj);
}
