import { readDraft, readScreen } from '../domain/read-screen.ts';
import type { ScreenMarks } from '../domain/runtime.ts';
import type { ScreenReading } from '../domain/screen.ts';
import { toScreen } from './capture.ts';
import { replyProblem, type Tmux } from './driver.ts';

export interface Target {
  pane_id: string;
  /** Pid of the pane's root as recorded; another one means the pane is not ours any more. */
  expectedPid?: number | undefined;
}

/** A pane as delivery sees it; `problem`: not there, not ours, ended, or not to be told. */
export type Look =
  | { kind: 'seen'; tty: string; inMode: boolean; reading: ScreenReading; draft: string | null }
  | { kind: 'problem'; why: string };

export async function lookAtPane(tmux: Tmux, target: Target, marks: ScreenMarks, now: number): Promise<Look> {
  const { pane_id } = target;
  const format =
    '#{pane_id} #{pane_pid} #{pane_dead} #{pane_in_mode} #{cursor_x} #{cursor_y} #{pane_tty} #{pane_title}';
  const [facts, shown] = await tmux.runAll([
    ['list-panes', '-a', '-f', `#{==:#{pane_id},${pane_id}}`, '-F', format],
    ['capture-pane', '-p', '-e', '-t', pane_id],
  ]);
  if (facts?.kind !== 'ok') return { kind: 'problem', why: (facts && replyProblem(facts)) ?? 'tmux did not answer' };
  const [id, pid, dead, mode, x, y, tty = '', ...title] = (facts.lines[0] ?? '').split(' ');
  if (id !== pane_id) return { kind: 'problem', why: `there is no pane ${pane_id}` };
  if (dead === '1') return { kind: 'problem', why: `the program in pane ${pane_id} has ended` };
  if (target.expectedPid !== undefined && Number(pid) !== target.expectedPid) {
    return { kind: 'problem', why: `pane ${pane_id} belongs to another process now (${pid})` };
  }
  if (shown?.kind !== 'ok') return { kind: 'problem', why: (shown && replyProblem(shown)) ?? 'tmux did not answer' };
  const screen = toScreen(shown.lines, { x: Number(x), y: Number(y) }, title.join(' '));
  return {
    kind: 'seen',
    tty,
    inMode: mode !== '0' && mode !== '',
    reading: readScreen(screen, marks, now),
    draft: readDraft(screen, marks),
  };
}

/** A pane in copy or view mode hands keys to tmux instead of its program; leaving is what a key of a human would do. */
export async function lookWithoutMode(tmux: Tmux, target: Target, marks: ScreenMarks): Promise<Look> {
  const look = await lookAtPane(tmux, target, marks, Date.now());
  if (look.kind === 'problem' || !look.inMode) return look;
  await tmux.run(['copy-mode', '-q', '-t', target.pane_id]);
  const again = await lookAtPane(tmux, target, marks, Date.now());
  return again.kind === 'seen' && again.inMode ? { kind: 'problem', why: 'its pane stays in copy mode' } : again;
}
