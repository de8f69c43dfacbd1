/** What Claude Code's screen says; measured with 2.1.332. */
import type { ScreenMarks } from '../../domain/runtime.ts';

export const claudeScreen: ScreenMarks = {
  // The mark is followed by a no-break space; past prompts and menu choices have it too, so the footer counts as well.
  ready: { text: [/^❯(?:\s|$)/m, /\? for shortcuts|shift\+tab to cycle|⏵⏵|⏸/] },
  busy: { text: [/esc to interrupt/], title: /^[◐◑◒◓⠂⠐]/ },
  dialogs: [
    {
      kind: 'trust',
      text: [/Is this a project you created or one you trust|Do you trust the files in this folder/],
      hint: 'Claude Code asks whether this folder is trusted',
    },
    {
      kind: 'api-key',
      text: [/Detected a custom API key in your environment/],
      hint: 'Claude Code asks whether to use the API key',
    },
    {
      kind: 'bypass-warning',
      text: [/WARNING: Claude Code running in Bypass Permissions mode/],
      hint: 'Claude Code wants the bypass mode accepted',
    },
    { kind: 'settings-warning', text: [/Settings Warning/, /Continue/], hint: 'Claude Code warns about its settings' },
    {
      kind: 'login',
      text: [/Select login method|Unable to connect to Anthropic services/],
      hint: 'Claude Code needs a login',
    },
    {
      kind: 'permission',
      text: [/Do you want to |Would you like to proceed\?/, /❯\s*1\. /],
      hint: 'Claude Code asks for permission',
    },
    { kind: 'question', text: [/Enter to select/, /Esc to cancel/], hint: 'Claude Code asks a question' },
  ],
  limits: [
    { text: /(?:usage|session|weekly|5-hour) limit reached.*?(?:resets|reset at)\s+(?<time>[^\n·∙]+)/i },
    { text: /You've hit your .*?limit.*?resets\s+(?<time>[^\n·∙]+)/i },
  ],
  composer: /^❯\s?(?<draft>.*)$/,
  placeholders: [/^Try "/],
};
