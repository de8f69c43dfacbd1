/** Carries effects out through the town's services, each call by itself, and reports what it came to. */
import { errorText, GastownError } from '../domain/errors.ts';
import type { ReaderEffect, ReaderEvent, ShownHandoff } from '../domain/handoff-reader.ts';
import type { Measures } from '../domain/measures.ts';
import type { Mail } from '../domain/records.ts';
import type { ActionResult, TownActions } from '../domain/view.ts';
import type { AgentVerb, Effect } from './state/effects.ts';

export interface Reports {
  /** An action on an agent ('' for the town) began; its answer comes by `finished`. */
  started(agentId: string, action: string): void;
  /** `bead` where the town itself picked the agent: the answer then names what was slung. */
  finished(agentId: string, action: string, result: ActionResult, bead?: string): void;
  measures(measures: Measures): void;
  mail(mail: readonly Mail[]): void;
  /** What a tree's handoff is now. */
  handoff(tree: string, shown: ShownHandoff): void;
  /** What an acknowledgement or a value came to. */
  handoffAnswer(tree: string, event: ReaderEvent): void;
  /** The town is down; the pane ends. */
  downed(): void;
}

/** Never rejects: a refusal is a result that is shown. */
export async function performEffect(effect: Effect, actions: TownActions, reports: Reports): Promise<void> {
  const report = async (agentId: string, action: string, call: () => Promise<ActionResult>): Promise<ActionResult> => {
    reports.started(agentId, action);
    const result = await call().catch((error: unknown): ActionResult => ({ kind: 'failed', why: lineOf(error) }));
    reports.finished(agentId, action, result);
    return result;
  };
  switch (effect.kind) {
    case 'agents':
      await Promise.all(
        effect.agents.map((id) => report(id, effect.verb, () => callAgent(actions, effect.verb, id, effect.text))),
      );
      return;
    case 'sling':
      await sling(effect, actions, reports);
      return;
    case 'town': {
      const result = await report('', effect.verb, () => callTown(actions, effect.verb, effect.text));
      if (effect.verb === 'down' && result.kind === 'done') reports.downed();
      return;
    }
    case 'acknowledge':
      await report('', 'acknowledge', () => actions.acknowledge(effect.escalationId));
      return;
    case 'approval':
      await report(effect.agentId, effect.behavior, () => actions.answerApproval(effect.requestId, effect.behavior));
      return;
    case 'bead':
      await report('', `${effect.verb} ${effect.beadId}`, () =>
        effect.verb === 'reopen' ? actions.reopenBead(effect.beadId) : actions.closeBead(effect.beadId),
      );
      return;
    case 'read-handoff':
      reports.handoff(effect.tree, await actions.readHandoff(effect.tree).catch(refusal));
      return;
    case 'handoff': {
      const answer = await carryOut(effect.effect, actions);
      if (answer !== null) reports.handoffAnswer(effect.effect.tree, answer);
      return;
    }
    case 'settle-request':
      await report('', `${effect.retry ? 'try again' : 'wish'} ${effect.agentId}`, () =>
        actions.settleRequest(effect.agentId, effect.retry),
      );
      return;
    case 'load-measures':
      await loadMeasures(actions, reports);
      return;
    case 'decide':
      await report('', effect.decision, () => actions.decide(effect.proposalId, effect.decision));
      await loadMeasures(actions, reports);
      return;
    case 'load-mail':
      await loadMail(actions, reports);
      return;
    case 'mark-read':
      await actions
        .markRead(effect.mailId)
        .catch((error: unknown) => reports.finished('', 'mail', { kind: 'failed', why: lineOf(error) }));
      await loadMail(actions, reports);
  }
}

const refusal = (error: unknown): { kind: 'refused'; message: string } => ({ kind: 'refused', message: lineOf(error) });

/** Null where there is nothing to answer: an acknowledgement that was recorded. */
async function carryOut(effect: ReaderEffect, actions: TownActions): Promise<ReaderEvent | null> {
  const { tree, digest } = effect;
  if (effect.kind === 'dissolve') return actions.dissolveHandoff(tree, digest, effect.value).catch(refusal);
  const why = await actions.acknowledgeHandoff(tree, digest, effect.sentence).catch(lineOf);
  return why === null ? null : { kind: 'refused', message: why };
}

async function sling(
  { bead, agent }: Extract<Effect, { kind: 'sling' }>,
  actions: TownActions,
  reports: Reports,
): Promise<void> {
  let id = 'id' in bead ? bead.id : undefined;
  reports.started(agent ?? '', 'sling');
  try {
    id ??= (await actions.addBead('title' in bead ? bead.title : '')).bead_id;
    reports.finished(agent ?? '', 'sling', await actions.sling(id, agent), id);
  } catch (error) {
    reports.finished(agent ?? '', 'sling', { kind: 'failed', why: lineOf(error) }, id);
  }
}

async function loadMeasures(actions: TownActions, reports: Reports): Promise<void> {
  try {
    reports.measures(await actions.measures());
  } catch (error) {
    reports.measures({ lines: [lineOf(error)], proposals: [] });
    reports.finished('', 'metrics', { kind: 'failed', why: lineOf(error) });
  }
}

async function loadMail(actions: TownActions, reports: Reports): Promise<void> {
  try {
    reports.mail(await actions.mail());
  } catch (error) {
    reports.mail([]);
    reports.finished('', 'mail', { kind: 'failed', why: lineOf(error) });
  }
}

function callAgent(actions: TownActions, verb: AgentVerb, id: string, text: string | null): Promise<ActionResult> {
  switch (verb) {
    case 'clear':
      return actions.clear(id, text === null ? null : { reason: text });
    case 'nudge':
      return actions.nudge(id, text ?? '');
    case 'pause':
      return actions.pause(id, text ?? '');
    case 'mode':
      return actions.startMode(id, text ?? '');
    case 'cancel mode':
      return actions.cancelModes(id);
    default:
      return actions[verb](id);
  }
}

function callTown(
  actions: TownActions,
  verb: Extract<Effect, { kind: 'town' }>['verb'],
  text: string,
): Promise<ActionResult> {
  switch (verb) {
    case 'pause':
      return actions.pause(null, text);
    case 'resume':
      return actions.resume(null);
    case 'estop':
      return actions.estop(text);
    default:
      return actions[verb]();
  }
}

/** Refusals carry their own line; anything else is a bug and shows its message. */
const lineOf = (error: unknown): string => (error instanceof GastownError ? error.line : errorText(error));
