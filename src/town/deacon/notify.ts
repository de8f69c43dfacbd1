/** Reaches the human outside the town, where the configuration says so: a desktop notice, a webhook (seed 001, decision 6). */
import { execa } from 'execa';
import { errorText } from '../../domain/errors.ts';
import type { EscalationDraft } from '../../domain/patrol/facts.ts';
import type { Town } from '../context.ts';
import { note } from '../note.ts';

const limitMs = 5_000;

/** Never fails: the escalation is on file and in the mail already; what could not be reached is in the journal. */
export const notifyHuman = (town: Town, escalation: EscalationDraft): Promise<void> =>
  reachHuman(town, escalation.message, { ...escalation });

/** By every way the configuration names. `about` is what a webhook is given beside the town's name. Never fails. */
export async function reachHuman(town: Town, message: string, about: Readonly<Record<string, unknown>>): Promise<void> {
  const { desktop = false, webhook = null } = town.config.notify ?? {};
  await Promise.all([
    desktop ? tried(town, 'the desktop', () => showOnDesktop(town, message)) : null,
    webhook === null ? null : tried(town, 'the webhook', () => post(webhook, { town: town.name, ...about })),
  ]);
}

async function tried(town: Town, what: string, reach: () => Promise<unknown>): Promise<void> {
  try {
    await reach();
  } catch (error) {
    note(town, 'notify.failed', `${what} could not be reached: ${errorText(error)}`, { by: 'deacon' });
  }
}

/** Words, never a shell: the message is data. */
function showOnDesktop(town: Town, message: string): Promise<unknown> {
  const title = `gastown: ${town.name}`;
  if (process.platform !== 'darwin') return execa('notify-send', ['--', title, message], { timeout: limitMs });
  const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
  return execa('osascript', ['-e', script, title, message], { timeout: limitMs });
}

async function post(url: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(limitMs),
  });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
}
