/** What the operator does with one agent's pane: look, go there, interrupt. */
import { errorText, refused } from '../domain/errors.ts';
import type { PaneProbe } from '../domain/probe.ts';
import { cleanText } from '../domain/text.ts';
import { peekPane } from '../tmux/capture.ts';
import { replyProblem } from '../tmux/driver.ts';
import { agentOf, type Town } from './context.ts';
import { recordInterrupt } from './events/interrupted.ts';
import { countTrouble } from './events/trouble.ts';
import { runtimeFor } from './facts.ts';
import { note } from './note.ts';
import { paneOf, panesById } from './running.ts';
import { readScreens } from './screens.ts';

type LivePane = Extract<PaneProbe, { answer: 'yes' }>;

/** The pane's last `lines` lines, oldest first, with controls removed. Works on a pane whose program has ended, too. */
export async function peek(town: Town, agentId: string, lines: number): Promise<string[]> {
  const pane = await requirePane(town, agentId);
  const reply = await peekPane(town.tmux, pane.pane_id, lines);
  if (reply.kind !== 'ok') throw refused(`cannot read the pane of ${agentId}: ${replyProblem(reply)}`);
  return reply.lines.map((line) =>
    cleanText(line)
      .replace(/[\n\t]/g, ' ')
      .trimEnd(),
  );
}

/** Moves whoever is attached to the agent's pane. */
export async function focus(town: Town, agentId: string): Promise<string> {
  const pane = await requirePane(town, agentId);
  const replies = await town.tmux.runAll([
    ['select-window', '-t', pane.window_id],
    ['select-pane', '-t', pane.pane_id],
  ]);
  const problem = replies.map(replyProblem).find((one) => one !== null);
  if (problem != null) throw refused(`cannot go to ${agentId}: ${problem}`);
  return `${agentId} is in ${pane.pane_id}`;
}

const keyGapMs = 300;
const settleMs = 3_000;

/** Sends the runtime's own interrupt keys: the one place where an agent's turn is cut short on purpose. */
export async function interrupt(town: Town, agentId: string): Promise<string> {
  const pane = await requirePane(town, agentId);
  if (pane.dead) throw refused(`${agentId} is not running`, `start it: gastown start ${agentId}`);
  const { descriptor } = runtimeFor(town, agentOf(town, agentId));
  const leave: string[][] = pane.in_mode ? [['send-keys', '-t', pane.pane_id, '-X', 'cancel']] : [];
  await town.tmux.runAll(leave);
  for (const [index, key] of descriptor.interruptKeys.entries()) {
    // Two at once are another key: ESC ESC is Alt-Escape.
    if (index > 0) await new Promise((done) => setTimeout(done, keyGapMs));
    const [reply] = await town.tmux.runAll([['send-keys', '-t', pane.pane_id, key]]);
    const problem = reply === undefined ? 'tmux said nothing' : replyProblem(reply);
    if (problem !== null) throw refused(`cannot interrupt ${agentId}: ${problem}`);
  }
  await settle(town, agentId).catch((error) =>
    countTrouble(town.store.paths, agentId, `interrupt: ${errorText(error)}`),
  );
  note(town, 'agent.interrupted', `${agentId} was interrupted`, { agent_id: agentId });
  return `${descriptor.interruptKeys.join(' ')} was sent to ${agentId}`;
}

/** Once it rests, its record says so, too: not every runtime tells of an interrupt. */
async function settle(town: Town, agentId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < settleMs; waitedMs += keyGapMs) {
    await new Promise((done) => setTimeout(done, keyGapMs));
    const readings = await readScreens(town, await panesById(town), [agentId]);
    if (readings.get(agentId)?.kind === 'ready') return recordInterrupt(town.store, agentId, town.clock());
  }
}

async function requirePane(town: Town, agentId: string): Promise<LivePane> {
  agentOf(town, agentId);
  const pane = await paneOf(town, agentId);
  if (pane.answer === 'yes') return pane;
  if (pane.answer === 'unknown') throw refused(`cannot tell about the pane of ${agentId}: ${pane.why}`, 'try again');
  throw refused(`${agentId} has no pane`, 'start it: gastown up');
}
