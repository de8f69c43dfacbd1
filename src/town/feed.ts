/**
 * The town, followed: one consistent picture that is made anew when something changed. Files are read again where the
 * watcher hints and in a slow re-scan; panes are asked every two seconds over one connection, and at once when tmux
 * announces something; what only time changes (a stall, a deadline) is derived again each second, without any reading.
 */
import { basename, dirname, relative } from 'node:path';
import type { Bead } from '../domain/bead.ts';
import type { AgentConfig } from '../domain/config.ts';
import type { ApprovalView, SessionInsight } from '../domain/handlers/view.ts';
import { modeStatusOf } from '../domain/mode/status-of.ts';
import type { PaneInfo } from '../domain/probe.ts';
import type { Escalation, JournalEntry } from '../domain/records.ts';
import type { ScreenReading } from '../domain/screen.ts';
import type { TownStatus } from '../domain/status.ts';
import type { AgentView, TownFeed, TownView } from '../domain/view.ts';
import { followJournal } from '../store/journal.ts';
import { watchState } from '../store/watch.ts';
import { watchedFolders } from '../store/watched-folders.ts';
import type { Town } from './context.ts';
import { type AgentFacts, gatherFacts, type Surroundings } from './facts.ts';
import { insightOf } from './handlers/insight.ts';
import { handlersOf } from './handlers/list.ts';
import { waitingRequests } from './handlers/permission-queue.ts';
import { dissolveRequests } from './handoff/requests.ts';
import { watchOutside } from './outside.ts';
import { beatPulse, emptyPulse, type Pulse } from './pulse.ts';
import { type Panes, serverAndPanes } from './running.ts';
import { readScreens } from './screens.ts';
import { activityAt, agentStatus, needLook, townParts } from './status.ts';
import { waitingPlans } from './ultrapilot/approval.ts';

const panesMs = 2_000;
const screensMs = 5_000;
const deriveMs = 1_000;
const partsMs = 5_000;
/** Changes that come together make one picture. */
const gatherMs = 20;
const journalLength = 500;

interface Followed {
  config: AgentConfig;
  facts: AgentFacts;
  insight: SessionInsight;
  pulse: Pulse;
  view: AgentView;
}

/** `notices` that the caller adds, such as a lost connection, are shown with the feed's own. */
export interface LiveFeed extends TownFeed {
  /** tmux announced something about panes or windows. */
  panesChanged(): void;
  /** Replaces the standing notice of that name; null takes it away. */
  notice(name: string, text: string | null): void;
}

export async function openFeed(town: Town): Promise<LiveFeed> {
  const { store } = town;
  const listeners = new Set<(view: TownView) => void>();
  const notices = new Map<string, string>(town.warnings.map((text) => [text, text]));
  const follower = followJournal(store.paths);
  let journal: JournalEntry[] = store.journal.tail(journalLength).entries;
  let { server, panes } = await serverAndPanes(town);
  let screens: ReadonlyMap<string, ScreenReading> = new Map();
  const around = (): Surroundings => ({ townRunning: server !== 'gone', panes, screens });

  const follow = (config: AgentConfig): Followed => {
    const facts = gatherFacts(town, config, around());
    const pulse = emptyPulse(town.clock());
    const insight = insightOf(store, facts.record?.session_id ?? null);
    return { config, facts, insight, pulse, view: toView(facts, insight, pulse, town.clock(), null) };
  };
  const followed = new Map(town.agents.map((config) => [config.agent_id, follow(config)]));
  let view: TownView = {
    ...viewParts(town, server),
    agents: [...followed.values()].map((one) => one.view),
    beads: beadsOf(town),
    journal,
    escalations: escalationsOf(town),
    approvals: approvalsOf(town),
    handlers: handlersOf(town),
    notices: [...notices.values()],
    demo: town.recorded?.demo === true,
  };

  const dirty = new Set<string>();
  const stale = { beads: false, parts: false, escalations: false, journal: false, approvals: false, handlers: false };
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  const soon = (): void => {
    if (!isClosed) timer ??= setTimeout(flush, gatherMs);
  };

  const flush = (): void => {
    timer = null;
    if (isClosed) return;
    for (const id of dirty) {
      const one = followed.get(id);
      if (one) reread(one);
    }
    dirty.clear();
    if (stale.journal) readJournal();
    const parts: Partial<TownView> = {};
    if (stale.beads) parts.beads = beadsOf(town);
    if (stale.escalations) parts.escalations = escalationsOf(town);
    if (stale.approvals) parts.approvals = approvalsOf(town);
    if (stale.handlers) parts.handlers = handlersOf(town);
    if (stale.parts || stale.beads || stale.escalations) Object.assign(parts, viewParts(town, server));
    publish(parts);
    stale.beads = stale.parts = stale.escalations = stale.journal = stale.approvals = stale.handlers = false;
  };

  const reread = (one: Followed): void => {
    const before = activityAt(one.facts.state);
    const eventBefore = one.facts.state.heartbeat.event?.at ?? null;
    one.facts = gatherFacts(town, one.config, around());
    const after = activityAt(one.facts.state);
    if (after !== before || (one.facts.state.heartbeat.event?.at ?? null) !== eventBefore)
      beatPulse(one.pulse, town.clock());
    one.insight = insightOf(store, one.facts.record?.session_id ?? null);
    one.view = toView(one.facts, one.insight, one.pulse, town.clock(), one.view);
  };

  const readJournal = (): void => {
    const { entries } = follower.read();
    if (entries.length > 0) journal = [...journal, ...entries].slice(-journalLength);
  };

  /** Objects that did not change keep their identity; an unchanged picture is not told to anyone. */
  const publish = (parts: Partial<TownView>): void => {
    const agents = [...followed.values()].map((one) => one.view);
    const next: TownView = {
      ...view,
      ...parts,
      agents: agents.every((agent, index) => agent === view.agents[index]) ? view.agents : agents,
      journal,
      notices: [...notices.values()],
    };
    const changed = (Object.keys(next) as (keyof TownView)[]).filter(
      (key) => next[key] !== view[key] && (key === 'agents' || key === 'journal' || !isSame(next[key], view[key])),
    );
    if (changed.length === 0) return;
    view = { ...view, ...Object.fromEntries(changed.map((key) => [key, next[key]])) };
    for (const listener of listeners) listener(view);
  };

  const onChange = (paths: readonly string[]): void => {
    for (const path of paths) {
      const touched = touchedBy(relative(town.stateDir, path), [...followed.keys()], (session) =>
        [...followed].filter(([, { facts }]) => facts.record?.session_id === session).map(([id]) => id),
      );
      for (const id of touched.agents) dirty.add(id);
      for (const part of touched.parts) stale[part] = true;
    }
    soon();
  };
  const setNotice = (name: string, text: string | null): void => {
    if ((notices.get(name) ?? null) === text) return;
    if (text === null) notices.delete(name);
    else notices.set(name, text);
    soon();
  };

  const watch = watchState(() => watchedFolders(store.paths), onChange, {
    onWarning: (text) => setNotice('watch', text),
  });

  const outside = watchOutside(town, {
    onHandoff: () => {
      stale.parts = true;
      soon();
    },
    onConfig: (text) => setNotice('config', text),
  });

  let isAsking = false;
  const askPanes = async (): Promise<void> => {
    if (isAsking || isClosed) return;
    isAsking = true;
    try {
      const { server: serverNow, panes: panesNow } = await serverAndPanes(town);
      const isNews = serverNow !== server || !isSamePanes(panes, panesNow);
      server = serverNow;
      panes = panesNow;
      setNotice(
        'server',
        serverNow === 'gone' ? 'the tmux server is gone: every agent with it. gastown up starts them again' : null,
      );
      if (!isNews) return;
      for (const id of followed.keys()) dirty.add(id);
      stale.parts = true;
      soon();
    } finally {
      isAsking = false;
    }
  };
  const askScreens = async (): Promise<void> => {
    if (server !== 'ok' || isClosed) return;
    const read = await readScreens(town, panes, needLook(town));
    const changed = [...followed.keys()].filter((id) => !isSame(screens.get(id), read.get(id)));
    screens = read;
    for (const id of changed) dirty.add(id);
    if (changed.length > 0) soon();
  };
  const derive = (): void => {
    const now = town.clock();
    // Whoever asked may have been killed while it waited.
    if (view.approvals.some(({ until }) => until !== null && Date.parse(until) <= now)) {
      stale.approvals = true;
      soon();
    }
    for (const one of followed.values()) one.view = toView(one.facts, one.insight, one.pulse, now, one.view);
    publish({});
  };
  const timers = [
    setInterval(() => void askPanes(), panesMs),
    setInterval(() => void askScreens(), screensMs),
    setInterval(derive, deriveMs),
    setInterval(() => {
      stale.parts = true;
      soon();
    }, partsMs),
  ];
  void askScreens();

  return {
    current: () => view,
    subscribe(onView) {
      listeners.add(onView);
      onView(view);
      return () => listeners.delete(onView);
    },
    panesChanged: () => void askPanes(),
    notice: setNotice,
    async close() {
      isClosed = true;
      for (const each of timers) clearInterval(each);
      if (timer !== null) clearTimeout(timer);
      await Promise.all([watch.close(), outside.close()]);
    },
  };
}

/** Keeps the former object where nothing that is drawn changed: ages are drawn from `activity_at`. */
function toView(
  facts: AgentFacts,
  insight: SessionInsight,
  pulse: Pulse,
  now: number,
  before: AgentView | null,
): AgentView {
  const status = agentStatus(facts, now);
  const delivery = facts.nudge?.delivery;
  const view: AgentView = {
    ...status,
    modes: facts.modes.filter(({ active, ended }) => active || ended?.kind === 'failed').map(modeStatusOf),
    insight,
    activity_at: activityAt(facts.state),
    pulse: beatPulse(pulse, now, 0),
    receipt:
      facts.nudge === null || delivery === undefined
        ? null
        : {
            action: facts.nudge.type,
            at: Date.parse(delivery.at),
            result:
              delivery.kind === 'verified'
                ? { kind: 'verified', proof: delivery.why === 'event' ? 'event' : 'composer' }
                : { kind: delivery.kind, why: delivery.why },
          },
  };
  return before !== null && isSame(undated(view), undated(before)) ? before : view;
}

/** Without what only the passing of time changes. */
const undated = ({ idle_s: _idle, evidence, hook, ...rest }: AgentView) => ({
  ...rest,
  hook: hook.status === 'empty' ? 'empty' : hook,
  evidence: evidence.map(({ source, text }) => ({ source, text })),
});

/** Escalations are counted in a status and listed in a view. */
function viewParts(town: Town, server: TownStatus['town']['server']) {
  const { escalations: _count, ...parts } = townParts(town, server);
  return { ...parts, requests: dissolveRequests(town.stateDir) };
}

type Part = 'beads' | 'parts' | 'escalations' | 'journal' | 'approvals' | 'handlers';

/** Which agents and parts of the picture a changed file concerns; what is not known concerns everything. */
function touchedBy(
  path: string,
  everyone: readonly string[],
  ofSession: (sessionId: string) => readonly string[],
): { agents: readonly string[]; parts: readonly Part[] } {
  const folder = path.split('/')[0] ?? '';
  const named = (id: string) => (everyone.includes(id) ? [id] : []);
  switch (folder) {
    case 'hooks':
    case 'agents':
    case 'heartbeat':
      return { agents: named(basename(path).replace(/\..*$/, '')), parts: [] };
    case 'nudge':
      return { agents: named(basename(dirname(path))), parts: [] };
    case 'sessions':
    case 'gates':
      return { agents: everyone, parts: [] };
    case 'modes':
      return { agents: everyone, parts: ['approvals'] };
    case 'handlers':
      return ofHandler(basename(dirname(path)), basename(path, '.json'), ofSession);
    case 'deacon':
      // The lease is renewed all the time and concerns no agent.
      return { agents: path.endsWith('lease.json') ? [] : everyone, parts: ['parts'] };
    case 'work':
      return { agents: [], parts: ['beads'] };
    case 'escalations':
      return { agents: everyone, parts: ['escalations'] };
    case 'mail':
    case 'handoff':
      return { agents: [], parts: ['parts'] };
    case 'events.jsonl':
      return { agents: [], parts: ['journal'] };
    default:
      return { agents: everyone, parts: ['beads', 'parts', 'escalations', 'journal'] };
  }
}

const shownHandlers = ['preemptive-compaction', 'subagent-tracker', 'thinking-block-validator'];

/** `handlers/<name>/<session>.json`; most of what handlers keep is for themselves. */
function ofHandler(folder: string, name: string, ofSession: (sessionId: string) => readonly string[]) {
  const parts: Part[] = folder === 'permission-handler' ? ['approvals'] : name === 'trusted' ? ['handlers'] : [];
  return { agents: shownHandlers.includes(folder) ? ofSession(name) : [], parts };
}

/** Tools that wait a few seconds, and a plan that waits for as long as it takes. */
const approvalsOf = ({ store, clock }: Town): ApprovalView[] => [
  ...waitingRequests(store, clock()),
  ...waitingPlans(store),
];

function beadsOf(town: Town): Bead[] {
  return [...town.store.beads.readAll().values()].flatMap((read) => (read.kind === 'ok' ? [read.value] : []));
}

function escalationsOf(town: Town): Escalation[] {
  const all = [...town.store.escalations.readAll().values()].flatMap((read) =>
    read.kind === 'ok' ? [read.value] : [],
  );
  return all.filter((one) => one.acknowledged_at === null);
}

function isSamePanes(a: Panes, b: Panes): boolean {
  if (!(a instanceof Map) || !(b instanceof Map)) return isSame(a, b);
  const facts = ({ pid, dead, in_mode, title }: PaneInfo) => [pid, dead, in_mode, title];
  return (
    a.size === b.size &&
    [...a].every(([id, pane]) => isSame(facts(pane), b.has(id) ? facts(b.get(id) as PaneInfo) : null))
  );
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
