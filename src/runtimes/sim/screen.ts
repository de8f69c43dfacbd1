/** What the simulated agent shows, and the marks that read it back. Both sides use these words. */
import type { ScreenMarks } from '../../domain/runtime.ts';

export const simWords = {
  ready: 'sim ready',
  busy: 'sim working (esc to interrupt)',
  permission: 'Permission needed: run this command?',
  limit: 'Usage limit reached',
} as const;

export const simScreen: ScreenMarks = {
  ready: { text: [/^❯(?:\s|$)/m, /^ {2}sim ready/m] },
  busy: { text: [/^ {2}sim working \(esc to interrupt\)/m] },
  dialogs: [
    {
      kind: 'permission',
      text: [/^Permission needed: run this command\?/m, /^ {2}1\. Yes/m],
      hint: 'The simulated agent asks for permission: answer 1 or 2 in its pane',
    },
  ],
  limits: [{ text: /^Usage limit reached · resets (?<time>\S+)/m }],
  composer: /^❯\s?(?<draft>.*)$/,
  placeholders: [],
};
