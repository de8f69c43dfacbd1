/** The deacon's own absence, and the human outside the town (issue 3, items 1 and 2): real processes, a real webhook. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { JournalEntry, Lease } from '../../../src/domain/records.ts';
import { openStore } from '../../../src/store/store.ts';
import { until } from '../../support/private-tmux.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';
import { operatorOf } from '../support/operator.ts';

let town: ScratchTown | undefined;
let endServer: (() => void) | undefined;
afterEach(async () => {
  await town?.stop();
  endServer?.();
  town = undefined;
  endServer = undefined;
});

const journalOf = (at: ScratchTown, kind: string): JournalEntry[] =>
  openStore(at.stateDir)
    .journal.tail(1_000)
    .entries.filter((entry) => entry.kind === kind);

const deaconOf = (at: ScratchTown): number | null => {
  const read = openStore(at.stateDir).lease.read();
  return read.kind === 'ok' ? read.value.pid : null;
};

test('a killed deacon is started again by the control pane; one that was stopped, or always ends, is shown', async () => {
  const at = scratchTown({ env: { GASTOWN_TIME_SCALE: '0.1' } });
  town = at;
  expect((await at.run(['up', '--detach'], { timeoutMs: 60_000 })).code).toBe(0);
  const operator = await operatorOf(at);
  await operator.shows(/deacon on/);
  const pids = new Set<number>();
  for (const round of [1, 2, 3]) {
    const pid = await until(`deacon ${round}`, () => {
      const held = deaconOf(at);
      return held !== null && !pids.has(held) ? held : null;
    });
    pids.add(pid);
    process.kill(pid, 'SIGKILL');
    await until(`revival ${round}`, () => journalOf(at, 'deacon.revived').length === round, 20_000);
  }
  await until('the fourth deacon', () => !pids.has(deaconOf(at) ?? 0) && deaconOf(at) !== null, 20_000);
  await operator.shows(/deacon on/);
  process.kill(deaconOf(at) ?? 0, 'SIGKILL');
  await operator.shows(/no deacon/);
  await operator.shows(/the deacon ended 4 times within minutes: look at its window/);
  expect(journalOf(at, 'deacon.revived')).toHaveLength(3);

  expect((await at.run(['deacon', 'start'])).code).toBe(0);
  await operator.shows(/deacon on/);
  expect((await at.run(['deacon', 'stop'])).code).toBe(0);
  await operator.shows(/no deacon/);
  const seen = Date.now();
  await until('several looks of the control pane', () => Date.now() - seen > 3_000, 10_000);
  expect(operator.screen()).toMatch(/no deacon/);
  expect(operator.screen()).not.toMatch(/the deacon ended/);
  expect(journalOf(at, 'deacon.revived')).toHaveLength(3);
}, 120_000);

test('what needs a human reaches the webhook of the configuration, once, and one that cannot be reached costs nothing', async () => {
  const posted: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      posted.push(JSON.parse(text) as Record<string, unknown>);
      response.statusCode = posted.length > 1 ? 500 : 204;
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endServer = () => server.close();
  const { port } = server.address() as AddressInfo;
  const at = scratchTown({
    env: { GASTOWN_TIME_SCALE: '0.05' },
    config: `agents:
  - {id: crew-me, role: crew, runtime: sim}
  - {id: crew-you, role: crew, runtime: sim}
worktrees: false
notify: {desktop: false, webhook: "http://127.0.0.1:${port}/hook"}
gupp:
  thresholds: {stall_detection: 60, nudge_interval: 30, restart_threshold: 120}
`,
  });
  town = at;
  expect((await at.run(['up', '--detach'], { timeoutMs: 60_000 })).code).toBe(0);
  const stall = async (id: string): Promise<string> => {
    await at.run(['sim', id, 'stall']);
    const { bead_id } = await at.json<{ bead_id: string }>(['bead', 'add', 'mend the gate']);
    await at.run(['sling', bead_id, id]);
    return bead_id;
  };
  const first = await stall('crew-me');
  await until('the webhook', () => posted.length > 0, 60_000);
  expect(posted[0]).toMatchObject({
    town: 'repo',
    kind: 'human_escalation',
    agent_id: 'crew-me',
    bead_id: first,
    message: expect.stringMatching(/^HUMAN_ESCALATION: .*crew-me cannot be restarted \(it is a human's own slot\)/),
  });
  const operator = await operatorOf(at);
  await operator.shows(/HUMAN_ESCALATION/);
  await stall('crew-you');
  await until('the refusal', () => journalOf(at, 'notify.failed').length > 0, 60_000);
  expect(journalOf(at, 'notify.failed')[0]?.message).toMatch(/the webhook could not be reached: HTTP 500/);
  expect(posted).toHaveLength(2);
  expect(journalOf(at, 'escalated')).toHaveLength(2);
  const lease = JSON.parse(readFileSync(join(at.stateDir, 'deacon/lease.json'), 'utf8')) as Lease;
  expect(lease.pid).toBe(deaconOf(at));
}, 120_000);
