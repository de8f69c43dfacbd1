import { spawnSync } from 'node:child_process';
import { refused } from '../domain/errors.ts';

/** Flags of control clients, `-e` for new panes, and `-N` all exist from here on (decision 14). */
const oldest = { major: 3, minor: 2 };

/** Version of a tmux program, `3.3a`. Throws exit 3, in one line, when there is none or it is too old. */
export function requireTmux(bin = 'tmux'): string {
  const answer = spawnSync(bin, ['-V'], { encoding: 'utf8', timeout: 5_000 });
  if (answer.error || answer.status !== 0) {
    throw refused(`tmux cannot be run: ${answer.error?.message ?? answer.stderr.trim()}`, 'install tmux 3.2 or newer');
  }
  const text = answer.stdout.trim().replace(/^tmux /, '');
  if (!isRecent(text)) throw refused(`tmux ${text} is too old: 3.2 or newer is needed`, 'install a newer tmux');
  return text;
}

/** `next-3.6` and `openbsd-7.1` are builds of a development tree; a name without a number is trusted. */
export function isRecent(version: string): boolean {
  if (version.startsWith('openbsd-')) return true;
  const found = /(\d+)\.(\d+)/.exec(version);
  if (!found) return true;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor);
}
