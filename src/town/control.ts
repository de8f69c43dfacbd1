/** What the control pane stands on: the town over one tmux connection of its own, followed, and everything it may do. */
import type { TownActions } from '../domain/view.ts';
import { connectControl } from '../tmux/control-client.ts';
import { actionsOf } from './actions.ts';
import { type Env, openTown } from './context.ts';
import { mendDeacon } from './deacon/mend.ts';
import { type LiveFeed, openFeed } from './feed.ts';
import { sessionsOf } from './windows.ts';

export interface Control {
  feed: LiveFeed;
  actions: TownActions;
  close(): Promise<void>;
}

/** Windows and panes that come and go; what tmux says beyond that is of no use here. */
const aboutPanes = /^(window|unlinked-window|session|layout|pane|client-detached)/;

/** A lost connection comes back by itself and stands as a notice meanwhile; the files are followed all the same. */
export async function openControl(cwd: string, env: Env): Promise<Control> {
  let feed: LiveFeed | null = null;
  const opened = await openTown({ cwd, env });
  const tmux = await connectControl(opened.tmux.socket, {
    anchor: sessionsOf(opened).anchor,
    onNotification: (name) => {
      if (aboutPanes.test(name)) feed?.panesChanged();
    },
    onDown: (how) => {
      feed?.notice('tmux', how.kind === 'gone' ? 'the tmux server is gone' : `tmux does not answer: ${how.why}`);
      feed?.panesChanged();
    },
    onUp: () => {
      feed?.notice('tmux', null);
      feed?.panesChanged();
    },
  });
  const town = await openTown({ cwd, env, tmux });
  const live = await openFeed(town);
  feed = live;
  const mending = mendDeacon(town, (text) => live.notice('deacon', text));
  return {
    feed: live,
    actions: actionsOf(town),
    close: async () => {
      mending.end();
      await live.close();
      await tmux.close();
    },
  };
}
