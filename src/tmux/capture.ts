import type { Screen } from '../domain/screen.ts';
import { plainText } from '../domain/styled-text.ts';
import type { Down, Reply, Tmux } from './driver.ts';

export type Capture = { kind: 'ok'; screen: Screen } | { kind: 'error'; message: string } | Down;

/** What several panes show, in one round trip; one answer per id, in order. A missing pane is an `error` of its own. */
export async function capturePanes(tmux: Tmux, ids: readonly string[]): Promise<Capture[]> {
  const replies = await tmux.runAll(
    ids.flatMap((id) => [
      ['display-message', '-p', '-t', id, '#{pane_id} #{cursor_x} #{cursor_y} #{pane_title}'],
      ['capture-pane', '-p', '-e', '-t', id],
    ]),
  );
  return ids.map((id, index) => toCapture(id, replies[2 * index], replies[2 * index + 1]));
}

/** The last `count` lines a pane has shown, its history included; without escapes, blank lines at the end left out. */
export async function peekPane(tmux: Tmux, id: string, count: number): Promise<Reply> {
  const reply = await tmux.run(['capture-pane', '-p', '-J', '-t', id, '-S', `-${Math.max(0, count)}`]);
  if (reply.kind !== 'ok') return reply;
  const lines = reply.lines.map((line) => line.trimEnd());
  const end = lines.findLastIndex((line) => line !== '') + 1;
  return { kind: 'ok', lines: lines.slice(Math.max(0, end - count), end) };
}

function toCapture(id: string, facts: Reply | undefined, shown: Reply | undefined): Capture {
  if (!facts || !shown) return { kind: 'unknown', why: 'tmux answered too little' };
  if (facts.kind !== 'ok') return facts;
  if (shown.kind !== 'ok') return shown;
  const found = /^(%\d+) (\d+) (\d+) (.*)$/s.exec(facts.lines.join('\n'));
  // For a target that does not exist display-message answers with another pane, or nothing, and calls it success.
  if (!found || found[1] !== id) return { kind: 'error', message: `can't find pane: ${id}` };
  const cursor = { x: Number(found[2]), y: Number(found[3]) };
  return { kind: 'ok', screen: toScreen(shown.lines, cursor, found[4] ?? '') };
}

/** A screen from the lines of `capture-pane -e`. */
export function toScreen(captured: readonly string[], cursor: Screen['cursor'], title: string): Screen {
  const styled = captured.map((line) => line.trimEnd());
  return { styled, lines: styled.map((line) => plainText(line).trimEnd()), title, cursor };
}
