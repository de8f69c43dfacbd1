/** The control pane on a town in memory, for looking at it and for tests in a real terminal. DEMO_AGENTS: how many more. */
import { appendFileSync } from 'node:fs';
import { startControlPane } from '../../../src/tui/start.tsx';
import { busyView, fakeAgent, fakeEntry, fakeFeed, fakeNow, recordActions } from './fake-town.ts';

const shift = Date.now() - fakeNow;
const later = (iso: string | null): string | null =>
  iso === null ? null : new Date(Date.parse(iso) + shift).toISOString();
const more = Number(process.env['DEMO_AGENTS'] ?? 0);
const first = busyView();
const view = {
  ...first,
  deacon: { ...first.deacon, tick_at: new Date().toISOString() },
  agents: [
    ...first.agents,
    ...Array.from({ length: more }, (_, index) => fakeAgent(`polecat-${index + 27}`, { state: 'working' })),
  ].map((agent) => ({
    ...agent,
    since: later(agent.since),
    activity_at: agent.activity_at === null ? null : agent.activity_at + shift,
  })),
};
const feed = fakeFeed(view);
const log = process.env['DEMO_LOG'];
const actions = recordActions(async (name, args) => {
  if (log !== undefined) appendFileSync(log, `${JSON.stringify([name, ...args])}\n`);
  if (name === 'nudge') return { kind: 'verified', proof: 'event' };
  return { kind: 'done', text: `${name} done` };
});

// SIGUSR1: one agent works and the journal says so. SIGUSR2: a bug.
let ticks = 0;
process.on('SIGUSR1', () => {
  ticks += 1;
  const now = feed.current();
  feed.push({
    ...now,
    agents: now.agents.map((agent, index) =>
      index === 0 ? { ...agent, activity_at: Date.now(), nudges: ticks } : agent,
    ),
    journal: [
      ...now.journal,
      fakeEntry({ kind: 'hook.touched', agent_id: 'polecat-alpha', message: `touch ${ticks}` }),
    ],
  });
});
process.on('SIGUSR2', () => {
  throw new Error('a bug in the demo');
});

process.exitCode = await startControlPane({
  feed,
  actions,
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  onExit: () => feed.close(),
});
