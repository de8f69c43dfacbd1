/** A real CLI whose events go through the real entry, each recorded on its way: what it said, and what was made of it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import type { AgentRecord, SessionRecord } from '../../../src/domain/records.ts';
import type { StartRequest } from '../../../src/domain/runtime.ts';
import { codexHooks } from '../../../src/runtimes/codex/event-settings.ts';
import { isGuardedCommand } from '../../../src/runtimes/guarded-command.ts';
import { type HookEntries, withEntries } from '../../../src/runtimes/hook-file.ts';
import { changeHook } from '../../../src/store/hooks.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { entryScript } from '../../../src/town/events/entry-script.ts';
import { until } from '../../support/private-tmux.ts';
import type { RealRuntime } from '../../support/real-runtimes/install.ts';
import { type Lab, openLab } from '../../support/real-runtimes/lab.ts';
import { busyOn, dialogOn, readyOn, shows } from '../../support/real-runtimes/marks.ts';
import type { Pane } from '../../support/real-runtimes/pane.ts';
import type { Scenario } from '../../support/real-runtimes/scenario.ts';
import { agentId, agentRecord, eventProgram, instanceId, removeScratch } from './event-town.ts';
import { type Row, rowOf } from './row.ts';

export interface SeenEvent {
  /** `<Event> [Tool]` as the entry was called. */
  words: string;
  payload: Record<string, unknown>;
}

export interface RealEvents {
  lab: Lab;
  store: Store;
  start(request?: Partial<StartRequest>): Promise<Pane>;
  /** Waits for the composer of a program that rests. */
  ready(pane: Pane, seconds?: number): Promise<unknown>;
  /** Types a whole prompt and submits it, as the runtime wants it. */
  submit(pane: Pane, text: string): Promise<void>;
  /** Waits for a dialog of that kind and answers it. */
  answer(pane: Pane, dialog: string, key: string): Promise<void>;
  /** Puts `gt-abc12` on the hook; takes it as completed. */
  assign(): Promise<void>;
  finish(): Promise<void>;
  /** Events whose handling is over, oldest first. */
  seen(): SeenEvent[];
  /** Waits for the `count`-th event of that name that satisfies `which`. */
  event(name: string, count?: number, which?: (event: SeenEvent) => boolean): Promise<SeenEvent>;
  agent(): AgentRecord;
  /** The record of the session now bound to the agent. */
  session(): SessionRecord;
  /** The agent's row, as its records make it now. */
  row(): Row;
  close(): Promise<void>;
}

/** For the whole of a test file: opens the runtime with its events installed, and ends it after each test. */
export function realEvents(runtime: RealRuntime): (scenario: Scenario) => Promise<RealEvents> {
  let real: RealEvents | undefined;
  afterEach(async () => {
    await real?.close();
    real = undefined;
  });
  afterAll(removeScratch);
  return async (scenario) => {
    real = await openRealEvents(runtime, { scenario });
    return real;
  };
}

export async function openRealEvents(runtime: RealRuntime, { scenario }: { scenario: Scenario }): Promise<RealEvents> {
  const lab = await openLab(runtime, {
    scenario,
    ...(runtime === 'codex' ? { seed: { codexHooks: codexHooks() } } : {}),
  });
  const stateDir = join(lab.root, '.chipset', 'state');
  const binDir = join(lab.root, '.chipset', 'bin');
  const records = join(lab.folder, 'seen');
  for (const folder of [records, join(stateDir, 'heartbeat')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(lab.root, 'gastown.yaml'), `agents:\n  - {id: ${agentId}, runtime: ${runtime}}\n`);
  const entry = join(binDir, 'gt-event.real');
  writeFileSync(entry, entryScript({ node: process.execPath, eventProgram: await eventProgram() }), { mode: 0o755 });
  writeFileSync(
    join(binDir, 'gt-event'),
    `#!/bin/sh\nf=${records}/$(date +%s%N)-$1:$2\ncat >"$f.tmp"\n"${entry}" "$@" <"$f.tmp"\ns=$?\nmv "$f.tmp" "$f.json"\nexit $s\n`,
    { mode: 0o755 },
  );
  installEvents(lab, join(binDir, 'gt-event'));
  const store = openStore(stateDir);
  await store.agents.update(agentId, () => ({
    ...agentRecord(runtime),
    worktree: lab.cwd,
    strategy: lab.runtime.descriptor.strategy,
  }));
  // opencode needs minutes on a loaded machine.
  const patienceMs = runtime === 'opencode' ? 240_000 : 60_000;
  const { screen: marks, submit } = lab.runtime.descriptor;
  const seen = (): SeenEvent[] =>
    readdirSync(records)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => ({ words: wordsOf(name), payload: payloadOf(readFileSync(join(records, name), 'utf8')) }));
  const agent = (): AgentRecord => {
    const read = store.agents.read(agentId);
    if (read.kind !== 'ok') throw new Error(`the agent's record is ${read.kind}`);
    return read.value;
  };
  const sessionOf = (id: string): SessionRecord | null => {
    const read = store.sessions.read(id);
    return read.kind === 'ok' ? read.value : null;
  };
  const session = (): SessionRecord => {
    const id = agent().session_id;
    const record = id === null ? null : sessionOf(id);
    if (record === null) throw new Error(`there is no record of session ${id}`);
    return record;
  };
  return {
    lab,
    store,
    start: (request = {}) => lab.start({ instance_id: instanceId, ...request }),
    ready: (pane, seconds = 60) =>
      pane.until('ready', (screen) => readyOn(screen, marks) && !busyOn(screen, marks), seconds),
    submit: async (pane, text) => {
      await pane.paste(text);
      await pane.until('pasted', shows(text));
      // Gemini takes a key that follows a paste at once as part of it.
      await new Promise((done) => setTimeout(done, submit.delayMs));
      await pane.keys('Enter');
    },
    answer: async (pane, dialog, key) => {
      await pane.until(`the dialog ${dialog}`, (screen) => dialogOn(screen, marks) === dialog);
      await pane.answer(key, (screen) => dialogOn(screen, marks) !== dialog);
    },
    assign: async () => {
      const set = { op: 'set', bead_id: 'gt-abc12', title: 'Paint the door' } as const;
      await changeHook(store, agentId, set, { kind: 'operator' }, Date.now());
    },
    finish: async () => {
      await changeHook(store, agentId, { op: 'complete' }, { kind: 'agent', agent_id: agentId }, Date.now());
      await changeHook(store, agentId, { op: 'clear' }, { kind: 'operator' }, Date.now());
    },
    seen,
    event: async (name, count = 1, which = () => true) => {
      const matching = () => seen().filter((one) => one.words.split(' ')[0] === name && which(one));
      const found = await until(`event ${name} no. ${count}`, () => matching()[count - 1], patienceMs).catch(
        (error) => {
          const trouble = join(stateDir, 'heartbeat', `${agentId}.trouble`);
          const text = existsSync(trouble) ? readFileSync(trouble, 'utf8') : '';
          const words = seen().map((one) => one.words);
          throw new Error(`${String(error)}\nseen: ${words.join(', ')}\n${text}`);
        },
      );
      return found;
    },
    agent,
    session,
    row: () => rowOf({ store, agent, session: sessionOf }, session().session_id, Date.now()),
    close: () => lab.close(),
  };
}

/** As `gastown events install` does; Claude's go along with each start, Codex's were seeded with their approval. */
function installEvents({ home, root, runtime }: Lab, gtEvent: string): void {
  const planned = runtime.eventSettings?.({ home, tree: root, gtEvent }) ?? null;
  if (planned === null || runtime.descriptor.id === 'codex') return;
  mkdirSync(dirname(planned.path), { recursive: true });
  if (!planned.path.endsWith('.json')) {
    writeFileSync(planned.path, planned.text);
    return;
  }
  const { hooks } = JSON.parse(planned.text) as { hooks: HookEntries };
  const merged = withEntries(readFileSync(planned.path, 'utf8'), hooks, isGuardedCommand);
  if (merged.kind !== 'changed' || merged.text === null) throw new Error(merged.kind);
  writeFileSync(planned.path, merged.text);
}

const wordsOf = (name: string): string => {
  const [event = '', tool = ''] = name
    .replace(/^\d+-/, '')
    .replace(/\.json$/, '')
    .split(':');
  return tool === '' ? event : `${event} ${tool}`;
};

function payloadOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
