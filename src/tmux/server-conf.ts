/**
 * What the town's own server is told. First our defaults, then what of the user's tmux.conf is settings and keys, then
 * what must hold: the user's look and prefix survive, but nothing there can change how panes live.
 */
export function serverConf({ trueColour, terminal }: { trueColour: boolean; terminal: string }): {
  defaults: string;
  musts: string;
} {
  const defaults = [
    `set -g default-terminal ${terminal}`,
    'set -s escape-time 10',
    'set -s focus-events on',
    'set -g mouse off',
    // The line at the bottom says where you are; it is not what should be looked at.
    'set -g status-style bg=colour236,fg=colour250',
    ...(trueColour ? ['set -as terminal-features ",*:RGB"'] : []),
  ];
  const musts = [
    'set -s exit-empty off',
    'set -s exit-unattached off',
    'set -g destroy-unattached off',
    'set -g detach-on-destroy off',
    'set -g history-limit 50000',
    'set -g lock-after-time 0',
    'set -g default-size 200x50',
    'set -wg window-size latest',
    'set -wg aggressive-resize off',
    'set -wg automatic-rename off',
    'set -wg allow-rename off',
    'set -wg remain-on-exit off',
    'set -wg monitor-activity off',
  ];
  return { defaults: `${defaults.join('\n')}\n`, musts: `${musts.join('\n')}\n` };
}

/**
 * The lines of a user's tmux.conf that only set options and bind keys. Programs, plugins, hooks, sessions and conditions
 * are left out: a plugin that restores the user's sessions must not do so in the town; so is what ends a session at once.
 */
export function settingsOf(userConf: string): string {
  return userConf
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^(set|set-option|setw|set-window-option|bind|bind-key|unbind|unbind-key)\s/.test(line))
    .filter((line) => !/[{}]\s*$/.test(line) && !/\s@/.test(line) && !/\s(destroy|exit)-\w+/.test(line))
    .join('\n');
}
