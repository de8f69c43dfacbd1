import type { Tmux } from './driver.ts';

/**
 * Makes a window of one pane into one of `count` by splits without a program; answers their ids in the window's order.
 * Fewer than asked when even a re-tiled window has no room. Each split is taken off the first pane, one column wide; when
 * that is used up the window is tiled and the splits go on.
 */
export async function splitWindow(tmux: Tmux, firstPane: string, count: number): Promise<string[]> {
  let made = 1;
  let isStuck = false;
  while (made < count && !isStuck) {
    const before = made;
    for (const direction of ['-h', '-v']) {
      const split = ['split-window', '-d', direction, '-l', '1', '-t', firstPane, '-P', '-F', '#{pane_id}', ''];
      const replies = await tmux.runAll(Array.from({ length: Math.min(count - made, perRound) }, () => split));
      made += replies.filter((reply) => reply.kind === 'ok').length;
      if (made === count) break;
    }
    isStuck = made === before;
    if (made < count) await tmux.run(['select-layout', '-t', firstPane, 'tiled']);
  }
  const listed = await tmux.run(['list-panes', '-t', firstPane, '-F', '#{pane_id}']);
  return listed.kind === 'ok' ? listed.lines : [firstPane];
}

/** Splits tried at once: those that find no room only cost an answer. */
const perRound = 40;
