/** What Codex's screen says; measured with 0.171.0. */
import type { ScreenMarks } from '../../domain/runtime.ts';

export const codexScreen: ScreenMarks = {
  // The composer is drawn with the splash, before the dialogs: only the status line below it says ready.
  ready: { text: [/^› /m, /^ {2}\S.* · [~/].*$/m] },
  busy: { text: [/esc to interrupt/], title: /^[⠁-⣿]/ },
  dialogs: [
    {
      kind: 'trust',
      text: [/Trust this folder\?|Do you trust the contents of this directory/],
      hint: 'Codex asks whether this folder is trusted',
    },
    { kind: 'hook-trust', text: [/Hooks need review/], hint: 'Codex wants its hooks reviewed: choose in the pane' },
    { kind: 'login', text: [/Sign in with ChatGPT/], hint: 'Codex needs a login' },
    { kind: 'update', text: [/Update available!/, /Skip/], hint: 'Codex offers an update' },
    { kind: 'permission', text: [/Would you like to |Allow command\?/, /1\. Yes/], hint: 'Codex asks for permission' },
  ],
  limits: [{ text: /You've hit your usage limit.*?(?:try again (?:at|in)\s+(?<time>[^\n.]+))?/is }],
  composer: /^›\s?(?<draft>.*)$/,
  placeholders: [/^Ask Codex to do anything$/],
};
