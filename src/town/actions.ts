/** What the keys of the control pane do, bound to one town: each a service that the command line calls, too. */
import type { Receipt } from '../domain/delivery.ts';
import type { ActionResult, TownActions } from '../domain/view.ts';
import { addBead, closeBead, reopenBead } from './beads.ts';
import { clearHook } from './claim.ts';
import type { Town } from './context.ts';
import { acknowledge } from './deacon/escalations.ts';
import { estop, pause, resume, thaw } from './deacon/gates.ts';
import { acceptProposal, rejectProposal } from './deacon/learning.ts';
import { markMailRead, operatorMail } from './deacon/mail.ts';
import { readMeasures } from './deacon/measures.ts';
import { resetAgent } from './deacon/reset.ts';
import { down } from './down.ts';
import { answerRequest } from './handlers/permission-queue.ts';
import { acknowledgeByHuman, dissolveByHuman, settleRequest } from './handoff/by-human.ts';
import { readHandoff } from './handoff/read.ts';
import { cancelOfAgent, startByText } from './modes/by-key.ts';
import { nudge } from './nudge.ts';
import { focus, interrupt, peek } from './pane-actions.ts';
import { sling, type Told } from './sling.ts';
import { restartAgent, type Started, startAgent, stopAgent } from './start.ts';
import { answerPlan, isPlan } from './ultrapilot/approval.ts';
import { sessionsOf } from './windows.ts';

export function actionsOf(town: Town): TownActions {
  return {
    addBead: (title) => addBead(town, { title }),
    sling: async (bead, agent) => ofTold((await sling(town, { bead, agent })).told),
    clear: async (agentId, force) => done(await clearHook(town, agentId, force)),
    nudge: (agentId, text) => nudge(town, agentId, text),
    restart: async (agentId) => ofStart(await restartAgent(town, agentId)),
    stop: async (agentId) => ofStart(await stopAgent(town, agentId)),
    start: async (agentId) => ofStart(await startAgent(town, agentId, 'resume')),
    interrupt: async (agentId) => done(await interrupt(town, agentId)),
    focus: async (agentId) => done(await focus(town, agentId)),
    peek: (agentId, lines) => peek(town, agentId, lines),
    pause: async (agentId, reason) => done(await pause(town, agentId ?? 'town', reason)),
    resume: async (agentId) => done(await resume(town, agentId ?? 'town')),
    estop: async (reason) => done(await estop(town, reason)),
    thaw: async () => done(await thaw(town)),
    reset: async (agentId) => done(await resetAgent(town, agentId)),
    startMode: async (agentId, text) => done(await startByText(town, agentId, text)),
    cancelModes: async (agentId) => done(await cancelOfAgent(town, agentId)),
    acknowledge: async (id) => done(await acknowledge(town, id)),
    answerApproval: async (id, behavior) => done(await answerApproval(town, id, behavior)),
    readHandoff: async (tree) => readHandoff(tree, town.clock()),
    acknowledgeHandoff: async (tree, digest, sentence) => acknowledgeByHuman(town, tree, digest, sentence),
    dissolveHandoff: (tree, digest, value) => dissolveByHuman(town, tree, digest, value),
    settleRequest: async (agentId, retry) => done(settleRequest(town, agentId, retry)),
    measures: () => readMeasures(town),
    decide: async (id, decision) => done(await (decision === 'accept' ? acceptProposal : rejectProposal)(town, id)),
    mail: async () => operatorMail(town),
    markRead: (id) => markMailRead(town, id),
    reopenBead: async (id) => done(`${(await reopenBead(town, id)).bead_id} is open`),
    closeBead: async (id) => done(`${(await closeBead(town, id)).bead_id} is done`),
    down: async () => {
      const report = await down(town);
      return done(report.survivors.length === 0 ? 'the town is down' : `${report.survivors.length} processes survived`);
    },
    detach: async () => {
      const reply = await town.tmux.run(['detach-client', '-s', `=${sessionsOf(town).town}`]);
      return reply.kind === 'ok'
        ? done('detached')
        : { kind: 'failed', why: 'message' in reply ? reply.message : reply.why };
    },
  };
}

async function answerApproval(town: Town, id: string, behavior: 'allow' | 'deny'): Promise<string> {
  if (isPlan(id)) return answerPlan(town, id, behavior);
  const { agent_id, tool } = await answerRequest(town.store, id, behavior, 'the operator', town.clock());
  return `${behavior === 'allow' ? 'allowed' : 'denied'} ${tool} of ${agent_id}`;
}

const done = (text: string): ActionResult => ({ kind: 'done', text });
const ofStart = ({ did, detail }: Started): ActionResult =>
  did === 'not running' ? { kind: 'failed', why: detail } : done(detail);
const ofTold = (told: Told): ActionResult => ('text' in told ? done(told.text) : (told satisfies Receipt));
