import type { AgentState, AgentStatus, TownStatus } from '../domain/status.ts';
import { formatAge } from '../domain/time.ts';
import { columns } from './columns.ts';
import { type Shade, shade } from './print.ts';

/** The table for people. States that need a human are coloured; the words alone say everything. */
export function statusLines(status: TownStatus, now: number, color: boolean): string[] {
  const { town, deacon, agents, work, mail, escalations, handoffs } = status;
  const facts = [
    `town ${town.name}: ${town.running ? 'up' : 'down'}${town.running && town.server !== 'ok' ? `, tmux server ${town.server}` : ''}`,
    `deacon ${deacon.running ? 'running' : 'not running'}${deacon.tick_at ? ` (${formatAge(now - Date.parse(deacon.tick_at))})` : ''}`,
    `mail ${mail.unread}`,
    `escalations ${escalations.open}`,
    ...handoffs.filter(({ armed }) => armed).map(({ tree }) => `handoff armed in ${tree}`),
  ];
  const counts = Object.entries(work).filter(([, count]) => count > 0);
  const beads = counts.length === 0 ? 'none' : counts.map(([name, count]) => `${count} ${name}`).join(', ');
  const [heading = '', ...rows] = columns(
    ['AGENT', 'STATE', 'HOOK', 'BEAD', 'IDLE', 'RUNTIME', 'TITLE', 'DETAIL'],
    agents.map(cellsOf),
  );
  return [
    facts.join(' · '),
    `beads: ${beads}`,
    ...(agents.length === 0 ? ['no agents: gastown init writes a configuration'] : ['', shade(heading, 'dim', color)]),
    ...rows.map((row, index) => shade(row, shadeOf(agents[index]?.state), color)),
  ];
}

function cellsOf(agent: AgentStatus): string[] {
  const item = 'work_item' in agent.hook ? agent.hook.work_item : null;
  const idle = agent.idle_s === null ? '-' : formatAge(agent.idle_s * 1000);
  const title = item?.title ?? '-';
  return [
    agent.agent_id,
    agent.state,
    agent.hook.status,
    item?.bead_id ?? '-',
    idle,
    agent.runtime,
    title.length > 40 ? `${title.slice(0, 39)}…` : title,
    // The bead has a column of its own.
    agent.detail === '' || agent.detail === item?.bead_id ? '-' : agent.detail,
  ];
}

function shadeOf(state: AgentState | undefined): Shade | null {
  switch (state) {
    case 'stalled':
    case 'dead':
    case 'failed':
    case 'crashlooping':
    case 'escalated':
      return 'red';
    case 'asking':
    case 'dialog':
    case 'limited':
    case 'backoff':
      return 'yellow';
    case 'working':
    case 'done':
      return 'green';
    case 'stopped':
    case 'idle':
      return 'dim';
    default:
      return null;
  }
}
