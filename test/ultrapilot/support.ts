/** A town that is down, with agents on record, where an ultrapilot begins and is worked on by hand: real git, no panes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openTown, type Town } from '../../src/town/context.ts';
import { patrolUltrapilot } from '../../src/town/ultrapilot/patrol.ts';
import { startUltrapilot } from '../../src/town/ultrapilot/plan.ts';
import { requireUltrapilot } from '../../src/town/ultrapilot/run.ts';
import type { UltrapilotView } from '../../src/town/ultrapilot/view.ts';
import { agentRecord } from '../events/support/event-town.ts';
import { gastown, gt } from '../support/in-process.ts';
import { type Ran, type ScratchTown, scratchTown } from '../support/town.ts';

export const alpha = 'polecat-alpha';
export const bravo = 'polecat-bravo';
export const charlie = 'polecat-charlie';

/** The sets of two workers. */
export const twoParts = { [alpha]: ['src/cart/**'], [bravo]: ['src/till/**'] };

export interface Work {
  town: ScratchTown;
  open(): Promise<Town>;
  /** Plans with these sets, by agent; the work has not begun. */
  plan(sets: Readonly<Record<string, readonly string[]>>): Promise<void>;
  /** The same, and a human's word. */
  begin(sets: Readonly<Record<string, readonly string[]>>): Promise<void>;
  /** One round of the deacon. */
  patrol(): Promise<void>;
  /** `gastown ultrapilot …`. */
  say(...words: string[]): Promise<Ran>;
  view(): Promise<UltrapilotView>;
  tree(agent: string): string;
  git(agent: string, ...words: string[]): string;
  write(agent: string, file: string, text?: string): void;
  commit(agent: string, files: Readonly<Record<string, string>>): void;
  /** `gt hook start`, then `gt done`. */
  finish(agent: string, ...words: string[]): Promise<void>;
}

export async function openWork(): Promise<Work> {
  const town = scratchTown({
    config: 'agents:\n  - {id: crew-me, role: crew, runtime: claude}\n  - {name: polecat, runtime: claude, count: 3}\n',
  });
  town.write('src/cart/a.ts', 'one\n');
  town.write('src/till/a.ts', 'one\n');
  town.write('shared.ts', 'one\n');
  town.git('add', 'src', 'shared.ts');
  town.git('commit', '-q', '-m', 'second');
  const open = () => openTown({ cwd: town.root, env: town.env });
  const { store } = await open();
  for (const id of ['crew-me', alpha, bravo, charlie]) {
    const role = id === 'crew-me' ? 'crew' : 'polecat';
    await store.agents.update(id, () => ({ ...agentRecord('claude'), agent_id: id, role, session_id: `s-${id}` }));
  }
  const tree = (agent: string): string => join(town.root, '.chipset/worktrees', agent);
  const git = (agent: string, ...words: string[]): string =>
    execFileSync('git', ['-C', tree(agent), '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...words], {
      env: town.env as NodeJS.ProcessEnv,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const write = (agent: string, file: string, text = 'x\n'): void => {
    mkdirSync(dirname(join(tree(agent), file)), { recursive: true });
    writeFileSync(join(tree(agent), file), text);
  };
  const say = (...words: string[]): Promise<Ran> => gastown(town, ['ultrapilot', ...words]);
  const plan = async (sets: Readonly<Record<string, readonly string[]>>): Promise<void> => {
    const workers = Object.entries(sets).map(([agent, files]) => ({ agent, task: `part of ${agent}`, files }));
    const text = JSON.stringify({ goal: 'the shop', coordinator: 'crew-me', workers });
    const start = { mode: 'ultrapilot', agentId: 'crew-me', goal: '', by: 'operator' } as const;
    await startUltrapilot(await open(), { ...start, options: { plan: { text, fileName: 'plan.yaml' } } });
  };
  return {
    town,
    open,
    plan,
    say,
    async begin(sets) {
      await plan(sets);
      const ran = await say('start');
      if (ran.code !== 0) throw new Error(ran.err);
    },
    async patrol() {
      const opened = await open();
      await patrolUltrapilot(opened, requireUltrapilot(opened).record);
    },
    tree,
    git,
    write,
    view: async () => JSON.parse((await gastown(town, ['ultrapilot', '--json'])).out),
    commit(agent, files) {
      for (const [file, text] of Object.entries(files)) write(agent, file, text);
      git(agent, 'add', '--all');
      git(agent, 'commit', '-q', '-m', `work of ${agent}`);
    },
    async finish(agent, ...words) {
      for (const call of [
        ['hook', 'start'],
        ['done', ...words],
      ]) {
        const ran = await gt(town, agent, call);
        if (ran.code !== 0) throw new Error(ran.err);
      }
    },
  };
}
