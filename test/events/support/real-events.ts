/** A real CLI whose events go through the real entry, each recorded on its way: what it said, and what was made of it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionRecord } from '../../../src/domain/records.ts';
import type { StartRequest } from '../../../src/domain/runtime.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { entryScript } from '../../../src/town/events/entry-script.ts';
import { until } from '../../support/private-tmux.ts';
import type { RealRuntime } from '../../support/real-runtimes/install.ts';
import { type Lab, openLab } from '../../support/real-runtimes/lab.ts';
import type { Pane } from '../../support/real-runtimes/pane.ts';
import type { Scenario } from '../../support/real-runtimes/scenario.ts';
import { agentId, agentRecord, eventProgram, instanceId } from './event-town.ts';

export interface SeenEvent {
  /** `<Event> [Tool]` as the entry was called. */
  words: string;
  payload: Record<string, unknown>;
}

export interface RealEvents {
  lab: Lab;
  store: Store;
  start(request?: Partial<StartRequest>): Promise<Pane>;
  /** Events whose handling is over, oldest first. */
  seen(): SeenEvent[];
  /** Waits for the `count`-th event of that name that satisfies `which`. */
  event(name: string, count?: number, which?: (event: SeenEvent) => boolean): Promise<SeenEvent>;
  /** The record of the session now bound to the agent. */
  session(): SessionRecord;
  close(): Promise<void>;
}

export async function openRealEvents(
  runtime: RealRuntime,
  options: Parameters<typeof openLab>[1] & { scenario: Scenario },
): Promise<RealEvents> {
  const lab = await openLab(runtime, options);
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
  const store = openStore(stateDir);
  await store.agents.update(agentId, () => ({
    ...agentRecord(runtime),
    worktree: lab.cwd,
    strategy: lab.runtime.descriptor.strategy,
  }));
  // opencode needs minutes on a loaded machine.
  const patienceMs = runtime === 'opencode' ? 240_000 : 60_000;
  const seen = (): SeenEvent[] =>
    readdirSync(records)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => ({ words: wordsOf(name), payload: payloadOf(readFileSync(join(records, name), 'utf8')) }));
  const session = (): SessionRecord => {
    const agent = store.agents.read(agentId);
    const id = agent.kind === 'ok' ? agent.value.session_id : null;
    if (id === null) throw new Error('no session is bound');
    const read = store.sessions.read(id);
    if (read.kind !== 'ok') throw new Error(`session ${id} is ${read.kind}`);
    return read.value;
  };
  return {
    lab,
    store,
    start: (request = {}) => lab.start({ instance_id: instanceId, ...request }),
    seen,
    event: async (name, count = 1, which = () => true) => {
      const matching = () => seen().filter((one) => one.words.split(' ')[0] === name && which(one));
      const found = await until(`event ${name} no. ${count}`, () => matching()[count - 1], patienceMs).catch(
        (error) => {
          const trouble = join(stateDir, 'heartbeat', `${agentId}.trouble`);
          const text = existsSync(trouble) ? readFileSync(trouble, 'utf8') : '';
          throw new Error(
            `${String(error)}\nseen: ${seen()
              .map((one) => one.words)
              .join(', ')}\n${text}`,
          );
        },
      );
      return found;
    },
    session,
    close: () => lab.close(),
  };
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
