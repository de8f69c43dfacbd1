/** What opencode's screen says; measured with 1.18.33. It has no dialogs at its start. */
import type { ScreenMarks } from '../../domain/runtime.ts';
import { phrase } from '../marks.ts';

export const opencodeScreen: ScreenMarks = {
  // The lower edge of the composer's box, which a dialog takes away.
  ready: { text: [/^\s*╹▀{5,}/m] },
  busy: { text: [/esc\s+(?:again\s+to\s+)?interrupt/] },
  dialogs: [
    {
      kind: 'permission',
      text: [phrase('Permission required')],
      hint: 'opencode asks for permission: answer in its pane',
    },
  ],
  limits: [],
  composer: /^\s*┃(?:\s+(?<draft>.*))?$/,
  placeholders: [/^Ask anything/],
};
