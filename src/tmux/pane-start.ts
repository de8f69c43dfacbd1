import { statSync } from 'node:fs';
import { refused } from '../domain/errors.ts';
import { replyProblem, type Tmux } from './driver.ts';
import { listPanes } from './panes.ts';

/** A program for a pane. */
export interface PaneSpec {
  /** The agent's id, `control` or `deacon`; the pane carries it. */
  label: string;
  /** Absolute path of a folder that exists. */
  cwd: string;
  /** At least two words, so that no shell reads them. */
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface StartedPane {
  pane_id: string;
  window_id: string;
  /** The pane's root process. */
  pid: number;
}

/** Starts programs in panes that exist, whatever ran there before is ended. One answer each; one failure stops no other. */
export async function startPanes(
  tmux: Tmux,
  starts: readonly { pane_id: string; spec: PaneSpec }[],
): Promise<(StartedPane | { problem: string })[]> {
  const problems = starts.map(({ spec }) => specProblem(spec));
  const good = starts.filter((_, index) => problems[index] === null);
  const replies = await tmux.runAll(
    good.flatMap(({ pane_id, spec }) => [
      ['set-option', '-p', '-t', pane_id, '@gt_label', spec.label],
      ['select-pane', '-t', pane_id, '-T', spec.label],
      ['clear-history', '-t', pane_id],
      respawnCommand(pane_id, spec),
    ]),
  );
  const listed = await listPanes(tmux);
  return starts.map((start, index) => {
    const problem = problems[index];
    if (problem) return { problem };
    const reply = replies[good.indexOf(start) * 4 + 3];
    if (reply?.kind !== 'ok') return { problem: (reply && replyProblem(reply)) ?? 'tmux did not answer' };
    if (listed.kind !== 'ok') return { problem: listed.why };
    const pane = listed.panes.find((each) => each.pane_id === start.pane_id);
    if (!pane || pane.pid === 0) return { problem: `its pane ${start.pane_id} is gone` };
    return { pane_id: pane.pane_id, window_id: pane.window_id, pid: pane.pid };
  });
}

/** Restart in the same place. Throws exit 3 when tmux refuses; nothing of the old program is left in the pane. */
export async function respawnPane(tmux: Tmux, pane_id: string, spec: PaneSpec): Promise<StartedPane> {
  const [started] = await startPanes(tmux, [{ pane_id, spec }]);
  if (started && 'pid' in started) return started;
  throw refused(`${spec.label} could not be started in ${pane_id}: ${started?.problem}`, 'gastown doctor');
}

const respawnCommand = (paneId: string, { argv, cwd, env }: PaneSpec): string[] => [
  ...['respawn-pane', '-k', '-t', paneId],
  // tmux reads formats in the folder's name.
  ...['-c', cwd.replaceAll('#', '##')],
  ...Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
  ...argv,
];

/** tmux itself takes a missing folder without a word and starts the program elsewhere. */
function specProblem({ cwd, argv }: PaneSpec): string | null {
  if (argv.length < 2) return 'its command is a single word, which a shell would read';
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) return `there is no folder ${cwd}`;
  return null;
}
