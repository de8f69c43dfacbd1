/** What Gemini CLI's screen and title say; measured with 0.61.0. Its title is the best signal of all runtimes. */
import type { ScreenMarks } from '../../domain/runtime.ts';
import { phrase } from '../marks.ts';

export const geminiScreen: ScreenMarks = {
  // The title says "Ready" during the trust dialog, too: the composer in its box must be there.
  ready: { text: [/^▄{10,}\n\s[>*!] /m], title: /^◇\s+Ready/ },
  busy: { text: [phrase('esc to cancel')], title: /^✦/ },
  dialogs: [
    {
      kind: 'trust',
      text: [phrase('Do you trust the files in this folder?')],
      hint: 'Gemini CLI asks whether this folder is trusted',
    },
    {
      kind: 'login',
      text: [phrase('How would you like to authenticate')],
      hint: 'Gemini CLI needs a login: run gemini once by hand',
    },
    {
      kind: 'permission',
      text: [/Allow\s+execution\s+of|Apply\s+this\s+change\?|Allow\s+once/, /^│ ● \d\. /m],
      hint: 'Gemini CLI asks for permission: answer in its pane',
    },
  ],
  limits: [{ text: /Usage limit reached[^\n]*\n?[^\n]*?resets?\s+(?:at|in)\s+(?<time>[^\n.]+)/i }],
  composer: /^\s[>*!] {1,3}(?<draft>.*)$/,
  placeholders: [/^Type your message/],
};
