/** What Codex's screen says; measured with 0.171.0. */
import type { ScreenMarks } from '../../domain/runtime.ts';
import { phrase } from '../marks.ts';

/** The status line below the composer: `<model> <effort> · <folder>`. A dialog takes its place. */
const statusLine = /^ {2}\S.* · [~/]/m;

export const codexScreen: ScreenMarks = {
  // The composer is drawn with the splash, before the dialogs: only the status line says ready.
  ready: { text: [/^› /m, statusLine] },
  busy: { text: [phrase('esc to interrupt')], title: /^[⠁-⣿] / },
  dialogs: [
    {
      kind: 'trust',
      text: [/Trust\s+this\s+folder\?|Do\s+you\s+trust\s+the\s+contents\s+of\s+this\s+directory\?/],
      hint: 'Codex asks whether this folder is trusted',
    },
    { kind: 'hook-trust', text: [phrase('Hooks need review')], hint: 'Codex wants its hooks reviewed' },
    { kind: 'login', text: [phrase('Sign in with ChatGPT')], hint: 'Codex needs a login: run codex once by hand' },
    { kind: 'update', text: [phrase('Update available!'), /^\s*› 1\. /m], hint: 'Codex offers an update' },
    {
      kind: 'permission',
      text: [/Would\s+you\s+like\s+to\s/, /^\s*› \d\. /m],
      hint: 'Codex asks for permission: answer in its pane',
    },
  ].map((dialog) => ({ ...dialog, unless: statusLine })),
  limits: [{ text: /You[’']ve hit your usage limit\.[^■]*?try\s+again\s+(?:at|in)\s+(?<time>[^\n.]+)/ }],
  composer: /^›\s?(?<draft>.*)$/,
  placeholders: [/^Ask Codex to do anything$/],
};
