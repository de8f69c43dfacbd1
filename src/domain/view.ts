/**
 * What the control pane draws and what it may ask for. `TownView` is one consistent picture, made anew when anything
 * changed; objects of untouched agents keep their identity, so that a row is drawn again only when it changed.
 */
import type { Bead } from './bead.ts';
import type { Receipt } from './delivery.ts';
import type { ApprovalView, HandlerView, SessionInsight } from './handlers/view.ts';
import type { ShownHandoff, ValueOutcome } from './handoff-reader.ts';
import type { Decision, Measures } from './measures.ts';
import type { ModeStatus } from './mode/record.ts';
import type { Escalation, JournalEntry, Mail } from './records.ts';
import type { AgentStatus, TownStatus } from './status.ts';

export interface AgentView extends AgentStatus {
  /** Last activity, ms; null when there was none. Ages on screen are made from it. */
  activity_at: number | null;
  /** Signs of life in each of the last 12 spans of 10 s, oldest first. */
  pulse: readonly number[];
  /** Its modes, by priority: those that run, and those that failed and wait to be seen. */
  modes: readonly ModeStatus[];
  /** What handlers of events know of its session. */
  insight: SessionInsight;
  /** What the last action on this agent came to. */
  receipt: { action: string; result: ActionResult; at: number } | null;
}

/** An agent that wants to dissolve a handoff and may not: its human comes first. */
export interface DissolveRequest {
  agent_id: string;
  tree: string;
  /** ISO time of the latest wish. */
  at: string;
  /** `unacknowledged`: no human has acknowledged the handoff; `attempts`: this run gave too many wrong values. */
  why: 'unacknowledged' | 'attempts';
}

export interface TownView {
  town: TownStatus['town'];
  deacon: TownStatus['deacon'];
  agents: readonly AgentView[];
  work: TownStatus['work'];
  handoffs: TownStatus['handoffs'];
  /** By agent name. */
  requests: readonly DissolveRequest[];
  /** Requests for permission that wait for an answer here, oldest first. */
  approvals: readonly ApprovalView[];
  handlers: readonly HandlerView[];
  mail: TownStatus['mail'];
  beads: readonly Bead[];
  /** Newest last, at most 500. */
  journal: readonly JournalEntry[];
  escalations: readonly Escalation[];
  /** Standing conditions the operator should know: watching fell back to polling, configuration changed, … */
  notices: readonly string[];
  demo: boolean;
}

/** Follows the town: calls `onView` at once and after each change; `close` ends all watching. */
export interface TownFeed {
  current(): TownView;
  subscribe(onView: (view: TownView) => void): () => void;
  close(): Promise<void>;
}

/** What an action came to: done (with proof where typing was involved), waiting, or not done and why. */
export type ActionResult = { kind: 'done'; text: string } | Receipt;

/** Everything the keys of the control pane do. Rejections are `GastownError`s whose line is shown. */
export interface TownActions {
  addBead(title: string): Promise<Bead>;
  sling(beadId: string, agentId: string | null): Promise<ActionResult>;
  clear(agentId: string, force: { reason: string } | null): Promise<ActionResult>;
  nudge(agentId: string, text: string): Promise<ActionResult>;
  restart(agentId: string): Promise<ActionResult>;
  stop(agentId: string): Promise<ActionResult>;
  start(agentId: string): Promise<ActionResult>;
  interrupt(agentId: string): Promise<ActionResult>;
  focus(agentId: string): Promise<ActionResult>;
  /** The pane's last lines, as plain text that has passed hygiene. */
  peek(agentId: string, lines: number): Promise<string[]>;
  /** Opens or closes the gate of an agent, or of the town for null. */
  pause(agentId: string | null, reason: string): Promise<ActionResult>;
  resume(agentId: string | null): Promise<ActionResult>;
  estop(reason: string): Promise<ActionResult>;
  thaw(): Promise<ActionResult>;
  reset(agentId: string): Promise<ActionResult>;
  /** `text`: a mode's name, then its goal; a pipeline's stages stand with | between them. */
  startMode(agentId: string, text: string): Promise<ActionResult>;
  cancelModes(agentId: string): Promise<ActionResult>;
  acknowledge(escalationId: string): Promise<ActionResult>;
  /** Lets a tool run, or not, in place of the runtime's own prompt. */
  answerApproval(requestId: string, behavior: 'allow' | 'deny'): Promise<ActionResult>;
  /** The armed handoff of a tree, read from the disk now. */
  readHandoff(tree: string): Promise<ShownHandoff>;
  /** Records that a human has read exactly the bytes of that digest; null, or why it could not be. */
  acknowledgeHandoff(tree: string, digest: string, sentence: string): Promise<string | null>;
  /** The typed value against the bytes that were shown. */
  dissolveHandoff(tree: string, digest: string, value: string): Promise<ValueOutcome>;
  /** Takes an agent's wish to dissolve off the list; `retry` also lets it give values again. */
  settleRequest(agentId: string, retry: boolean): Promise<ActionResult>;
  /** The metrics and the proposals of the learning loop, read now. */
  measures(): Promise<Measures>;
  /** A human's word on a proposal; accepting edits `gastown.yaml`. */
  decide(proposalId: string, decision: Decision): Promise<ActionResult>;
  mail(): Promise<Mail[]>;
  markRead(mailId: string): Promise<void>;
  reopenBead(beadId: string): Promise<ActionResult>;
  closeBead(beadId: string): Promise<ActionResult>;
  /** Ends the town; the control pane goes with it. */
  down(): Promise<ActionResult>;
  /** Detaches the operator's client; the control pane and the agents go on. */
  detach(): Promise<ActionResult>;
}
