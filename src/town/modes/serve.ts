/**
 * What the town owes to modes, carried out by the deacon: the next prompt typed into the idle pane, commands run, a
 * reviewer asked, ready beads given out, a failure brought to the human. Each is claimed on record before it is done.
 */
import { readyBeads } from '../../domain/bead.ts';
import { receiptText } from '../../domain/delivery.ts';
import { errorText } from '../../domain/errors.ts';
import { isDeclared } from '../../domain/freshness.ts';
import { modes } from '../../domain/mode/modes.ts';
import type { ModeName } from '../../domain/mode/names.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { quoted, said } from '../../domain/mode/said.ts';
import { stillLimit } from '../../domain/mode/stop.ts';
import { parseTime, toIso } from '../../domain/time.ts';
import { scaled, type Town } from '../context.ts';
import { openEscalation } from '../deacon/escalations.ts';
import type { AgentFacts } from '../facts.ts';
import { note } from '../note.ts';
import { sling } from '../sling.ts';
import { tell, type } from '../tell.ts';
import { advanceMode, endLinked, stillOf } from './advance.ts';
import { changeMode, endMode, isSameNext, replaceNext } from './change.ts';
import { isRunnable, runGates } from './gates.ts';
import { lookAtMode } from './look.ts';
import { isCancelled, jointRuns } from './records.ts';
import { modeSlot, writeState } from './state.ts';
import { tellJournal } from './tell-journal.ts';

export interface ModeWork {
  /** Carries out what is due for the modes of one agent; commands go on behind it. Never throws. */
  serve(town: Town, facts: AgentFacts): Promise<void>;
  /** The runs of several agents at once. Never throws. */
  serveJoint(town: Town): Promise<void>;
  /** Ends the commands that run; what they were run for is done again by the next deacon. */
  close(): Promise<void>;
}

/** Between two attempts to type what had to wait; before an idle session without a next step is looked at. */
const retrySeconds = 3;
const restSeconds = 20;
/** A prompt of which nobody knows whether it was typed is not typed again: silence shows as no progress. */
const typingSeconds = 120;

export function openModeWork(): ModeWork {
  const running = new Map<string, Promise<unknown>>();
  const stop = new AbortController();
  const complaints = new Map<string, string>();
  /** Once for each thing that goes wrong: a round comes every two seconds. */
  const complain = (town: Town, record: ModeRecord, error: unknown): void => {
    const why = errorText(error);
    if (complaints.get(record.run_id) === why) return;
    complaints.set(record.run_id, why);
    const message = `${record.mode} of ${record.agent_id}: ${why}`;
    note(town, 'mode.trouble', message, { agent_id: record.agent_id, by: 'deacon' });
  };
  /** One job for a run at a time, while the round goes on. */
  const behind = (town: Town, record: ModeRecord, work: (signal: AbortSignal) => Promise<unknown>): void => {
    if (running.has(record.run_id)) return;
    const job = work(stop.signal)
      .catch((error: unknown) => complain(town, record, error))
      .finally(() => running.delete(record.run_id));
    running.set(record.run_id, job);
  };
  return {
    async serve(town, facts) {
      for (const record of facts.modes) {
        try {
          await serveOne(town, facts, record, (work) => behind(town, record, work));
        } catch (error) {
          complain(town, record, error);
        }
      }
    },
    async serveJoint(town) {
      for (const { mode, isLong, serve } of jointServices) {
        for (const joint of jointRuns(town.store, mode)) {
          const work = async () => (await serve())(town, joint);
          try {
            if (isLong) behind(town, joint, work);
            else await work();
          } catch (error) {
            complain(town, joint, error);
          }
        }
      }
    },
    async close() {
      stop.abort();
      await Promise.all(running.values());
    },
  };
}

/** Loaded where such a run is: a swarm needs a store that nothing else does. `isLong`: it may start agents and run git. */
const jointServices: readonly {
  mode: ModeName;
  isLong: boolean;
  serve: () => Promise<(town: Town, joint: ModeRecord) => Promise<void>>;
}[] = [
  { mode: 'swarm', isLong: false, serve: () => import('../swarm/serve.ts').then(({ patrolSwarm }) => patrolSwarm) },
  {
    mode: 'ultrapilot',
    isLong: true,
    serve: () => import('../ultrapilot/patrol.ts').then(({ patrolUltrapilot }) => patrolUltrapilot),
  },
];

/** Whether the deacon has to look at these modes: everything it may owe them shows here. */
export const needsService = ({ modes }: Pick<AgentFacts, 'modes'>): boolean =>
  modes.some(({ active, ended }) => active || (ended?.kind === 'failed' && !ended.told));

type Behind = (work: (signal: AbortSignal) => Promise<unknown>) => void;

async function serveOne(town: Town, facts: AgentFacts, record: ModeRecord, behind: Behind): Promise<void> {
  if (isCancelled(town.store, record)) return;
  if (record.ended?.kind === 'failed' && !record.ended.told) return tellFailure(town, record);
  if (!record.active) return;
  const { next } = record;
  if (record.mode === 'ultrawork') await giveOut(town, record);
  switch (next?.kind) {
    case 'say':
      return say(town, facts, record, next);
    case 'run':
      if (isRunnable(record)) {
        behind((signal) =>
          runGates(town.store, record, { way: 'type', by: 'deacon', env: town.env, clock: () => town.clock(), signal }),
        );
      }
      return;
    case 'review':
      return next.told ? undefined : askForReview(town, record, next);
    default:
      return lookAgain(town, facts, record);
  }
}

type Owed<K> = Extract<NonNullable<ModeRecord['next']>, { kind: K }>;

/** Typed where the agent rests, once: `typing` is on record before the first key. */
async function say(town: Town, facts: AgentFacts, record: ModeRecord, next: Owed<'say'>): Promise<void> {
  const { delivery } = next;
  const age = town.clock() - (parseTime(delivery?.at ?? next.at) ?? 0);
  if (delivery?.kind === 'typing') {
    if (age < scaled(town, typingSeconds)) return;
    await replaceNext(town.store, record, next, null);
    return;
  }
  if (delivery !== null && age < scaled(town, retrySeconds)) return;
  if (!isAtRest(facts)) return;
  const at = toIso(town.clock());
  const typing: Owed<'say'> = { ...next, delivery: { kind: 'typing', why: '', at } };
  if (!(await replaceNext(town.store, record, next, typing))) return;
  const receipt = await type(town, record.agent_id, next.text);
  const text = receiptText(receipt);
  const queued = receipt.kind === 'queued' || receipt.kind === 'failed';
  const written = await changeMode(town.store, record, (current) => {
    // The agent may have been quicker: what is owed by now is not what was typed.
    const isStill = current.next !== null && isSameNext(current.next, typing);
    if (!queued) return { ...current, continued_at: at, next: isStill ? null : current.next };
    const delivery = { kind: receipt.kind, why: receipt.why, at: toIso(town.clock()) };
    return isStill ? { ...current, next: { ...next, delivery } } : null;
  });
  if (written === null || (queued && delivery?.why === receipt.why)) return;
  const message = `${record.mode} ${record.iteration}/${record.max_iterations} of ${record.agent_id}: ${text}`;
  tellJournal(town.store, record, queued ? 'mode.waits' : 'mode.continued', message, 'deacon', town.clock());
}

/** No turn runs, nothing was declared, nothing holds it back, and its program lives: only then is anything typed. */
function isAtRest({ state }: AgentFacts): boolean {
  const { session, probe, gates, hook } = state;
  if (probe.answer !== 'yes' || probe.dead || gates.length > 0) return false;
  if (session !== null) return session.status === 'idle' && !isDeclared(session);
  // A runtime without events: work on its hook is all that tells that it works.
  return hook.kind !== 'ok' || (hook.value.status !== 'active' && hook.value.status !== 'pending');
}

/** A session that rests with nothing owed to it: its stop was let go, or nobody was there to type. */
async function lookAgain(town: Town, facts: AgentFacts, record: ModeRecord): Promise<void> {
  const { session } = facts.state;
  if (record.held !== null || !isAtRest(facts) || (session?.subagents ?? []).length > 0) return;
  const since = Math.max(
    parseTime(session?.updated_at) ?? 0,
    parseTime(record.continued_at) ?? 0,
    parseTime(record.last_checked_at) ?? 0,
  );
  if (town.clock() - since < scaled(town, restSeconds)) return;
  if (isOutranked(facts, record)) return;
  const now = town.clock();
  const look = factsFor(town, record);
  if (
    stillOf(town.store, record) >= stillLimit &&
    modes[record.mode].reduce(record, { kind: 'idle' }, look).step.kind === 'say'
  ) {
    const why = `${stillLimit} turns in a row without a tool`;
    const ended = await endMode(town.store, record, { kind: 'failed', why }, now);
    if (ended !== null) await endLinked(town.store, ended, now);
    return;
  }
  await advanceMode(town.store, {
    run: record,
    event: { kind: 'idle' },
    facts: look,
    way: 'type',
    by: 'deacon',
    now,
    onlyIf: ({ next }) => next === null || next.kind === 'workers',
  });
}

/** Of several modes only the first is heard (seed 004's priority). */
const isOutranked = ({ modes }: AgentFacts, record: ModeRecord): boolean =>
  modes.find(({ active }) => active)?.run_id !== record.run_id;

function factsFor(town: Town, record: ModeRecord) {
  const read = town.store.agents.read(record.agent_id);
  if (read.kind !== 'ok') throw new Error(`${record.agent_id} has no readable record`);
  return lookAtMode(town.store, read.value, town.config.modes ?? {});
}

async function askForReview(town: Town, record: ModeRecord, next: Owed<'review'>): Promise<void> {
  if (!(await replaceNext(town.store, record, next, { ...next, told: true }))) return;
  const { reviewer, request_id: id, question } = next;
  if (reviewer === null) {
    await openEscalation(town, {
      escalation_id: id,
      kind: 'mode_review',
      agent_id: record.agent_id,
      bead_id: null,
      message: `${record.mode} of ${record.agent_id} waits for your verdict. ${question} gastown mode approve ${id}, or gastown mode reject ${id} "what is wrong"`,
    });
    return;
  }
  const gt = `${town.binDir}/gt`;
  await tell(town, reviewer, {
    from: 'gastown',
    type: 'sync_request',
    text: said(
      record.mode,
      `review for ${record.agent_id}, request ${id}. ${question} Its tree: ${quoted(treeName(town, record))}. Look for yourself, believe no summary. Then one of: ${gt} mode approve ${id} · ${gt} mode reject ${id} "what is wrong"`,
    ),
    requires_response: true,
    bead_id: null,
  });
}

function treeName(town: Town, { agent_id }: ModeRecord): string {
  const read = town.store.agents.read(agent_id);
  return (read.kind === 'ok' ? read.value.worktree : null) ?? town.root;
}

/** One ready bead a round, while agents are idle and the budget allows. */
async function giveOut(town: Town, record: ModeRecord): Promise<void> {
  const { beads } = factsFor(town, record);
  const workers = Number(record.state['workers'] ?? 0);
  if (beads.ready === 0 || beads.busy + (beads.own === null ? 0 : 1) >= workers) return;
  const [bead] = readyIds(town);
  if (bead === undefined) return;
  try {
    const { agent_id } = await sling(town, { bead });
    tellJournal(town.store, record, 'mode.dispatched', `ultrawork gave ${bead} to ${agent_id}`, 'deacon', town.clock());
  } catch {
    // Nobody is idle, or another was quicker: the next round asks again.
  }
}

function readyIds(town: Town): string[] {
  const all = [...town.store.beads.readAll().values()].flatMap((read) => (read.kind === 'ok' ? [read.value] : []));
  return readyBeads(all).map(({ bead_id }) => bead_id);
}

async function tellFailure(town: Town, record: ModeRecord): Promise<void> {
  await openEscalation(town, {
    escalation_id: `mode-${record.run_id}`,
    kind: 'mode_failed',
    agent_id: record.agent_id,
    bead_id: null,
    message: `${record.mode} of ${record.agent_id} ended without success: ${record.ended?.why ?? ''}`,
  });
  await writeState(town.store, modeSlot(town.store, record.session_id, record.mode), (current) =>
    current?.run_id === record.run_id && current.ended !== null && !current.ended.told
      ? { ...current, ended: { ...current.ended, told: true } }
      : null,
  );
}
