/** What opencode's screen says; measured with 1.18.33. It has no dialogs at its start. */
import type { ScreenMarks } from '../../domain/runtime.ts';

export const opencodeScreen: ScreenMarks = {
  ready: { text: [/Ask anything|ctrl\+p commands/] },
  busy: { text: [/esc (?:again to )?interrupt/] },
  dialogs: [{ kind: 'permission', text: [/Permission required/], hint: 'opencode asks for permission' }],
  limits: [],
  composer: /^\s*┃ {2}(?<draft>.*)$/,
  placeholders: [/^Ask anything/],
};
