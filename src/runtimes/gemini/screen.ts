/** What Gemini CLI's screen and title say; measured with 0.61.0. The title is the best signal of all runtimes. */
import type { ScreenMarks } from '../../domain/runtime.ts';

export const geminiScreen: ScreenMarks = {
  ready: { text: [/^ *[>*!] +\S/m], title: /^◇\s+Ready/ },
  busy: { text: [/esc to cancel/], title: /^✦/ },
  dialogs: [
    {
      kind: 'trust',
      text: [/Do you trust (?:the files in )?this folder\?/],
      hint: 'Gemini CLI asks whether this folder is trusted',
    },
    { kind: 'login', text: [/How would you like to authenticate/], hint: 'Gemini CLI needs a login' },
    {
      kind: 'permission',
      text: [/Allow execution|Apply this change\?|Allow once/],
      hint: 'Gemini CLI asks for permission',
    },
  ],
  limits: [
    { text: /(?:quota|usage limit)[^\n]*(?:reached|exceeded|exhausted)(?:.*?resets? (?:at|in)\s+(?<time>[^\n.]+))?/i },
  ],
  composer: /^ *[>*!] {1,3}(?<draft>.*)$/,
  placeholders: [/^Type your message/],
};
