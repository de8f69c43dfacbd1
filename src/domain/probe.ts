/**
 * What tmux and the process table say of an agent's pane. "Cannot tell" is not "no" (decision 17): it changes nothing.
 */
export type PaneProbe =
  | {
      answer: 'yes';
      pane_id: string;
      window_id: string;
      pid: number;
      /** The pane's program ended; `exit` is what the runner recorded, null when nothing did. */
      dead: boolean;
      exit: number | null;
      command: string;
      title: string;
      /** Pane is in copy or view mode. */
      in_mode: boolean;
    }
  | { answer: 'no' }
  | { answer: 'unknown'; why: string };

export type ServerProbe = 'ok' | 'gone' | 'unknown';

/** One pane as tmux lists it; `pid` is the pane's root process, 0 where the pane never had a program. */
export interface PaneInfo {
  pane_id: string;
  window_id: string;
  session: string;
  /** Whom the town made it for: an agent's id, `control`, `deacon`; empty for panes of others. */
  label: string;
  pid: number;
  dead: boolean;
  /** tmux's own record of the exit, often missing on 3.3a: what the runner wrote counts. */
  dead_status: number | null;
  in_mode: boolean;
  width: number;
  height: number;
  left: number;
  top: number;
  /** Shown right now: the active pane of the window its session shows. */
  active: boolean;
  window_index: number;
  command: string;
  window_name: string;
  title: string;
}
