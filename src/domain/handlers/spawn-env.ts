/** The environment of a pane in which nobody sits at the terminal (seed 004, non-interactive-env). The operator's own values win. */
import type { Role } from '../role.ts';
import { entryOf } from './catalogue.ts';
import { isOn } from './in-force.ts';
import type { HandlersConfig } from './options.ts';

/** Not `CI`: too many programs do something else under it. */
const nonInteractive: Readonly<Record<string, string>> = {
  AWS_PAGER: '',
  DEBIAN_FRONTEND: 'noninteractive',
  GH_PROMPT_DISABLED: '1',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  MANPAGER: 'cat',
  PAGER: 'cat',
  PIP_NO_INPUT: '1',
  SYSTEMD_PAGER: 'cat',
};

export const spawnEnv = (role: Role, config: HandlersConfig): Readonly<Record<string, string>> =>
  isOn(entryOf('non-interactive-env'), config, role) ? nonInteractive : {};
