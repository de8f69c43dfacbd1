/**
 * Options of every window the town makes, set on the window, so that they hold on a shared server too. Dead panes stay,
 * for their place and their last words; names are ours; each pane carries its label on its upper line.
 */
export const windowOptions = (windowId: string): string[][] =>
  Object.entries({
    'remain-on-exit': 'on',
    'window-size': 'latest',
    'aggressive-resize': 'off',
    'automatic-rename': 'off',
    'allow-rename': 'off',
    'pane-border-status': 'top',
    'pane-border-format': ' #{?#{@gt_label},#{@gt_label},#{pane_current_command}} ',
  }).map(([name, value]) => ['set-option', '-w', '-t', windowId, name, value]);
