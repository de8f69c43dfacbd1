/** An operator at the control pane of a scratch town: real keys in, the real screen out. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/private-tmux.ts';
import type { ScratchTown } from '../../support/town.ts';

export interface Operator {
  /** `tmux …` on the town's own server. */
  tmux(...words: string[]): string;
  /** tmux key names, each on its own. */
  press(...keys: string[]): void;
  type(text: string): void;
  screen(): string;
  /** Waits until the control pane shows it. */
  shows(what: RegExp, limitMs?: number): Promise<void>;
}

/** The town must be up. */
export async function operatorOf(town: ScratchTown): Promise<Operator> {
  const record = JSON.parse(readFileSync(join(town.stateDir, 'town.json'), 'utf8')) as {
    socket: string;
    control_pane: string;
  };
  const env = { ...town.env, TMUX: undefined } as NodeJS.ProcessEnv;
  const tmux = (...words: string[]): string =>
    execFileSync('tmux', ['-S', record.socket, '-u', ...words], { env, encoding: 'utf8', timeout: 10_000 });
  const pane = record.control_pane;
  const screen = (): string => tmux('capture-pane', '-p', '-t', pane);
  const operator: Operator = {
    tmux,
    press: (...keys) => {
      for (const key of keys) tmux('send-keys', '-t', pane, key);
    },
    type: (text) => {
      tmux('send-keys', '-t', pane, '-l', text);
    },
    screen,
    shows: async (what, limitMs = 15_000) => {
      await until(`the control pane to show ${what}`, () => what.test(screen()), limitMs).catch((error: unknown) => {
        throw new Error(`${String(error)}; it shows:\n${screen()}`);
      });
    },
  };
  await operator.shows(/sling/);
  return operator;
}
