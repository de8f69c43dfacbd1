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
