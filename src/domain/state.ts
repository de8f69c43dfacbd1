/**
 * The state of an agent: derived from what is on disk, in the process table and on the screen, and never stored
 * (DESIGN section 7). `rules` is the order of precedence; the first that has something to say decides.
 */
import { backoffDelayMs, planStart } from './backoff.ts';
import { evidenceOf, silenceOf } from './state-evidence.ts';
import { type Picture, type StateFacts, toPicture } from './state-picture.ts';
import type { AgentState, Evidence } from './status.ts';

export interface DerivedState {
  state: AgentState;
  /** The state's facts in a few words: deadline, note, kind, until, gate, exit. */
  detail: string;
  /** Since when, ms; null where nothing tells. */
  since: number | null;
  /** Strongest first. */
  evidence: Evidence[];
}

/** Total: any facts have a state. `now` in ms. */
export function deriveState(facts: StateFacts, now: number): DerivedState {
  const picture = toPicture(facts, now);
  const [state, detail, since] = rules.map((rule) => rule(picture)).find((said) => said !== null) ?? idle(picture);
  return { state, detail, since: picture.believe(since), evidence: evidenceOf(facts, picture.believe, now) };
}

/** The state, its detail, and since when; null: this rule has nothing to say. */
type Said = [state: AgentState, detail: string, since: number | null];
type Rule = (picture: Picture) => Said | null;

/** What cannot be read is not guessed at: no rule below may take a corrupt hook for "no work". */
const unreadable: Rule = ({ facts }) => {
  for (const [name, fact] of [
    ['hook', facts.hook],
    ['agent record', facts.agent],
  ] as const) {
    if (fact.kind === 'corrupt' || fact.kind === 'unreadable')
      return ['unknown', `${name} ${fact.kind}: ${fact.reason}`, null];
  }
  return null;
};

/** The operator's intent outranks what the process does: nothing restarts it, and nobody is alarmed. */
const stopped: Rule = ({ facts, agent, process }) => {
  if (agent?.stop_intent) return ['stopped', process === 'alive' ? 'its program still runs' : '', null];
  if (process === 'alive') return null;
  if (!facts.townRunning) return ['stopped', agent?.started_at ? 'the town is down' : 'never started', null];
  if (process === 'gone' && !agent?.started_at && !agent?.start_error) return ['stopped', 'never started', null];
  return null;
};

/** Finished work waits to be cleared, whatever became of the program. */
const finished: Rule = ({ facts, hook, writtenAt }) => {
  if (hook?.status !== 'completed') return null;
  const bead = hook.work_item?.bead_id ?? '';
  return facts.bead?.status === 'failed' ? ['failed', bead, writtenAt] : ['done', bead, writtenAt];
};

/** An open gate suspends GUPP (decision 11): the agent's own, its bead's, then the town's. */
const paused: Rule = ({ facts, process, time }) => {
  const open = facts.gates[0];
  if (!open) return null;
  const { kind, reason, opened_at } = open.gate;
  const ended = process === 'ended' || process === 'gone' ? '; its program has ended' : '';
  return ['paused', `${kind}${reason === '' ? '' : `: ${reason}`}${ended}`, time(opened_at)];
};

/** Only a probe that says so makes an agent dead; what the deacon does about it is the detail. */
const dead: Rule = ({ facts, agent, process, exitText, now, work, ladder, ledger, startedAt }) => {
  if (process !== 'ended' && process !== 'gone') return null;
  if (agent?.start_error) return ['dead', agent.start_error, startedAt];
  if (work && ladder?.escalatedAt != null) return ['escalated', `${exitText}; waits for a human`, ladder.escalatedAt];
  if (facts.exitMeaning !== null && process === 'ended') return ['dead', facts.exitMeaning, null];
  const last = Math.max(startedAt ?? 0, ledger.lastRestartAt ?? 0, ladder?.restarts.at(-1)?.at ?? 0);
  const backoff = (until: number): Said =>
    until > now ? ['backoff', `${exitText}; next start ${inSeconds(until - now)}`, null] : ['dead', exitText, null];
  const { cooldownMs } = facts.thresholds;
  if (work) {
    const restarts = ladder?.restarts.length ?? 0;
    return backoff(restarts === 0 ? 0 : last + backoffDelayMs(facts.pace, restarts, cooldownMs));
  }
  if (ledger.crashloopAt !== null) return ['crashlooping', exitText, ledger.crashloopAt];
  if (ledger.starts.length === 0) return backoff(0);
  const plan = planStart(ledger, last, facts.pace, cooldownMs, now);
  return backoff(plan.kind === 'wait' ? plan.until : 0);
};

/** Waiting for a human is declared, or told by an event; never read off the screen. */
const asking: Rule = ({ session, time }) => {
  if (session === null || !['asking', 'awaiting', 'parked'].includes(session.status)) return null;
  const words = session.note ?? session.proposal ?? '';
  const detail = session.status === 'asking' ? words : `${session.status}${words === '' ? '' : `: ${words}`}`;
  return ['asking', detail, time(session.updated_at)];
};

/** A prompt that only a human may answer: from an event, from the deacon's last look, or on the screen of a silent agent. */
const dialog: Rule = ({ session, standing, screen, time }) => {
  if (session?.permission) {
    const { tool, what, at } = session.permission;
    return ['dialog', `permission: ${tool}${what === undefined ? '' : ` ${what}`}`, time(at)];
  }
  if (screen?.kind === 'dialog') return ['dialog', `${screen.dialog}: ${screen.hint}`, null];
  if (standing?.kind === 'dialog') return ['dialog', standing.detail, standing.since];
  return null;
};

/** A usage limit holds until its time; text on the screen of an agent that moves is none (field report 21). */
const limited: Rule = ({ facts, standing, screen, now }) => {
  const told = facts.limit;
  // Whoever tells it takes it back with the next prompt; a notice in between is no work.
  if (told && (told.until === null || told.until > now)) {
    return ['limited', untilText(told.until, told.line, now), told.at];
  }
  if (screen?.kind === 'limited') return ['limited', untilText(screen.until, screen.line, now), null];
  if (standing?.kind === 'limited') return ['limited', untilText(standing.until, standing.detail, now), standing.since];
  return null;
};

/** The human has it now; work that resumed since then has taken it back. */
const escalated: Rule = ({ work, ladder, moved }) => {
  if (!work || ladder?.escalatedAt == null || moved(ladder.escalatedAt)) return null;
  return ['escalated', `${ladder.restarts.length} restarts did not help`, ladder.escalatedAt];
};

/** Started, and not yet seen to be ready; a start has a deadline. */
const spawning: Rule = ({ facts, ready, startedAt, now, hook }) => {
  if (ready || hook?.status === 'active' || startedAt === null) return null;
  const left = startedAt + facts.spawnMs - now;
  return left >= 0 ? ['spawning', `ready ${inSeconds(left)}`, startedAt] : null;
};

/** Without a probe only fresh activity is known; silence is then no stall, and an empty hook no proof of idleness. */
const cannotTell: Rule = ({ facts, work, silentMs }) => {
  if (facts.probe.answer !== 'unknown' || (work && silentMs <= facts.thresholds.stallMs)) return null;
  return ['unknown', facts.probe.why, null];
};

/** Work on the hook must be run; strictly longer silence than the threshold is a stall (decision 3). */
const atWork: Rule = ({ facts, now, work, hook, silentMs, silentSince, restarts, session }) => {
  if (!work) return null;
  const bead = hook?.work_item?.bead_id ?? '';
  const tool = facts.openTools.at(-1);
  const runsTool = tool !== undefined && facts.probe.answer === 'yes';
  if (!runsTool && silentMs > facts.thresholds.stallMs) {
    const tried = [
      ...(hook?.status === 'pending' ? ['not begun'] : []),
      ...(restarts > 0 ? [`restarts ${restarts}`] : []),
    ];
    return ['stalled', [bead, ...tried].join(', '), silentSince + facts.thresholds.stallMs];
  }
  const error = `${session?.status === 'error' ? `, error: ${session.note ?? ''}` : ''}${silenceOf(facts, now) === null ? '' : ', its events are silent'}`;
  if (hook?.status === 'pending')
    return ['pending', `${bead}${error}`, hook.work_item ? Date.parse(hook.work_item.assigned_at) : null];
  return ['working', `${bead}${runsTool ? `, runs ${tool}` : ''}${error}`, null];
};

const idle = ({ facts, now, ready, session, writtenAt }: Picture): Said => {
  if (session?.status === 'active') return ['idle', 'busy without a bead', writtenAt];
  const silent = silenceOf(facts, now);
  if (silent !== null) return ['idle', `its events are silent: ${silent.cause}`, writtenAt];
  return ['idle', ready ? '' : 'has not shown that it is ready', writtenAt];
};

const rules: readonly Rule[] = [
  unreadable,
  stopped,
  finished,
  paused,
  dead,
  asking,
  dialog,
  limited,
  escalated,
  spawning,
  cannotTell,
  atWork,
];

const inSeconds = (ms: number): string => `in ${Math.max(0, Math.ceil(ms / 1000))} s`;

const untilText = (until: number | null, line: string, now: number): string =>
  until === null ? line : `${inMinutes(until - now)}: ${line}`;

const inMinutes = (ms: number): string => (ms < 90_000 ? inSeconds(ms) : `for ${Math.ceil(ms / 60_000)} min`);
