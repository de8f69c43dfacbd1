/** What Claude Code's screen says; measured with 2.1.332 in panes of 46 to 120 columns. */
import type { ScreenMarks } from '../../domain/runtime.ts';
import { phrase } from '../marks.ts';

/** The line below the composer. A dialog takes the place of both, so text that only quotes one is told apart by it. */
const footer = /^\s*(?:⏵⏵|⏸|\? for shortcuts)/m;

export const claudeScreen: ScreenMarks = {
  // The composer's mark also stands before past prompts and menu choices.
  ready: { text: [/^❯(?:\s|$)/m, footer] },
  busy: { text: [phrase('esc to interrupt')], title: /^[◐◑◒◓⠂⠐]/ },
  dialogs: [
    {
      kind: 'trust',
      text: [phrase('Is this a project you created or one you trust?')],
      hint: 'Claude Code asks whether this folder is trusted; "No, exit" is chosen',
    },
    {
      kind: 'api-key',
      text: [phrase('Detected a custom API key in your environment')],
      hint: 'Claude Code asks whether to use the API key of the environment',
    },
    {
      kind: 'bypass-warning',
      text: [phrase('Claude Code running in Bypass Permissions mode')],
      hint: 'Claude Code wants its bypass mode accepted; "No, exit" is chosen',
    },
    {
      kind: 'settings-warning',
      text: [phrase('Settings Warning')],
      hint: 'Claude Code warns about its settings before it starts',
    },
    {
      kind: 'login',
      text: [/Select\s+login\s+method|Unable\s+to\s+connect\s+to\s+Anthropic\s+services/],
      hint: 'Claude Code needs a login: run claude once by hand',
    },
    {
      kind: 'question',
      text: [phrase('Enter to select'), /^\s*❯ \d\. /m],
      hint: 'Claude Code asks a question: answer in its pane',
    },
    {
      kind: 'plan',
      text: [/Exit\s+plan\s+mode\?|Ready\s+to\s+code\?/, /^\s*❯ \d\. /m],
      hint: 'Claude Code wants its plan approved',
    },
    {
      kind: 'permission',
      text: [/Do\s+you\s+want\s+to\s|Would\s+you\s+like\s+to\s/, /^\s+❯ \d\. /m],
      hint: 'Claude Code asks for permission: answer in its pane',
    },
  ].map((dialog) => ({ ...dialog, unless: footer })),
  limits: [
    { text: /You've hit your [a-z0-9 -]*limit · resets\s+(?<time>[^\n·]+)/ },
    { text: /limit reached\s*[·∙|]\s*resets\s+(?<time>[^\n·]+)/ },
  ],
  composer: /^❯[\s\u00a0]?(?<draft>.*)$/,
  placeholders: [/^Try "/, /^Resend your message to try again$/],
};
