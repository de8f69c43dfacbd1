// The control pane on a town in memory. AGENTS, CHANGES (a second), AGE_MS (age of the last activity).
import { startControlPane } from '../../../src/tui/start.tsx';
import { fakeAgent, fakeFeed, fakeView, recordActions } from '../../tui/support/fake-town.ts';

const count = Number(process.env['AGENTS'] ?? 30);
const changes = Number(process.env['CHANGES'] ?? 0);
const ageMs = Number(process.env['AGE_MS'] ?? 3 * 3_600_000);
const at = Date.now() - ageMs;
const agents = Array.from({ length: count }, (_, index) =>
  fakeAgent(`polecat-${index + 1}`, {
    state: 'working',
    activity_at: at,
    since: new Date(at).toISOString(),
    evidence: [],
  }),
);
const feed = fakeFeed(fakeView({ agents, deacon: { running: true, pid: 1, tick_at: new Date().toISOString() } }));
if (changes > 0) {
  let tick = 0;
  setInterval(() => {
    tick += 1;
    const view = feed.current();
    const changed = (tick * 7) % count;
    feed.push({
      ...view,
      agents: view.agents.map((agent, index) => (index === changed ? { ...agent, nudges: tick % 99 } : agent)),
    });
  }, 1000 / changes);
}
process.exitCode = await startControlPane({
  feed,
  actions: recordActions(),
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
});
process.exit();
