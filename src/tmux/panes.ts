import type { PaneInfo } from '../domain/probe.ts';
import type { Down, Tmux } from './driver.ts';

/** `server_pid`: of the server that answered, 0 where it has no pane at all. */
export type PaneList = { kind: 'ok'; panes: PaneInfo[]; server_pid: number } | Down;

/** All panes of the server in one call. */
export async function listPanes(tmux: Tmux): Promise<PaneList> {
  const reply = await tmux.run(['list-panes', '-a', '-F', paneFormat]);
  if (reply.kind === 'error') return { kind: 'unknown', why: reply.message };
  if (reply.kind !== 'ok') return reply;
  const panes: PaneInfo[] = [];
  for (const line of reply.lines) {
    const pane = parsePane(line);
    if (!pane) return { kind: 'unknown', why: `tmux listed a pane in a way not understood: ${line.slice(0, 80)}` };
    panes.push(pane);
  }
  return { kind: 'ok', panes, server_pid: Number(reply.lines[0]?.split(separator)[names.indexOf('pid')] ?? 0) };
}

/**
 * Between fields: two characters of Unicode's private use area, for tmux rewrites control characters. Free text comes
 * last, the title at the very end, so that whatever a program writes there cannot shift a field before it.
 */
const separator = '\ue0f1\ue0f2';
const names = [
  'pane_id',
  'pid',
  'window_id',
  'session_name',
  '@gt_label',
  'pane_pid',
  'pane_dead',
  'pane_dead_status',
  'pane_in_mode',
  'pane_width',
  'pane_height',
  'pane_left',
  'pane_top',
  'pane_active',
  'window_active',
  'window_index',
  'pane_current_command',
  'window_name',
  'pane_title',
] as const;
const paneFormat = names.map((name) => `#{${name}}`).join(separator);

function parsePane(line: string): PaneInfo | null {
  const parts = line.split(separator);
  const fixed = parts.slice(0, names.length - 1);
  if (parts.length < names.length || !/^%\d+$/.test(fixed[0] ?? '')) return null;
  const text = (name: (typeof names)[number]): string => fixed[names.indexOf(name)] ?? '';
  const number = (name: (typeof names)[number]): number => Number(text(name));
  return {
    pane_id: text('pane_id'),
    window_id: text('window_id'),
    session: text('session_name'),
    label: text('@gt_label'),
    pid: number('pane_pid'),
    dead: text('pane_dead') === '1',
    dead_status: text('pane_dead_status') === '' ? null : number('pane_dead_status'),
    in_mode: text('pane_in_mode') !== '0' && text('pane_in_mode') !== '',
    width: number('pane_width'),
    height: number('pane_height'),
    left: number('pane_left'),
    top: number('pane_top'),
    active: text('pane_active') === '1' && text('window_active') === '1',
    window_index: number('window_index'),
    command: text('pane_current_command'),
    window_name: text('window_name'),
    title: parts.slice(names.length - 1).join(separator),
  };
}
