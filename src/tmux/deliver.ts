import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeliveryProfile, deliveryText, type Receipt } from '../domain/delivery.ts';
import { type DeliveryOptions, pauseMs } from './delivery-options.ts';
import { replyProblem, type Tmux } from './driver.ts';
import { lockPane } from './pane-lock.ts';
import { type Look, lookWithoutMode, type Target } from './pane-look.ts';
import { submit } from './submit.ts';
import { lineModeBytes, ttyMode } from './tty-mode.ts';

/**
 * Delivers text to the program of a pane and submits it; nothing else in the code types (DESIGN section 8). The text
 * arrives exact but for control characters, once, as one prompt. A program in line mode, which cannot read a line break
 * without ending its line, gets spaces instead, and nothing beyond one line's limit. Throws a usage error for text that
 * is empty or too long; never says `verified` without proof.
 */
export async function deliver(
  tmux: Tmux,
  target: Target,
  text: string,
  profile: DeliveryProfile,
  options: DeliveryOptions,
): Promise<Receipt> {
  const clean = deliveryText(text);
  const lock = await lockPane(options.lockDir, target.pane_id, options.lockMs ?? 10_000);
  if (!lock) return { kind: 'queued', why: 'another delivery to its pane is under way' };
  try {
    return await deliverAlone(tmux, target, clean, profile, options);
  } finally {
    lock.release();
  }
}

async function deliverAlone(
  tmux: Tmux,
  target: Target,
  text: string,
  profile: DeliveryProfile,
  options: DeliveryOptions,
): Promise<Receipt> {
  const look = await lookWithoutMode(tmux, target, profile.screen);
  if (look.kind === 'problem') return { kind: 'failed', why: look.why };
  const isStranded = look.draft !== null && look.draft === text;
  const obstacle = isStranded ? null : obstacleIn(look);
  if (obstacle) return { kind: 'queued', why: obstacle };
  // Our own text of an earlier attempt that was never submitted: typing it again would double it.
  if (!isStranded) {
    const typed = await fitToTerminal(text, look.tty);
    if (typed === null) {
      return { kind: 'failed', why: `its program reads lines of at most ${lineModeBytes - 1} bytes` };
    }
    const problem = await paste(tmux, target.pane_id, typed);
    if (problem) return problem;
    await sleep(pauseMs(profile.submit.delayMs + Math.min(2_000, typed.length / 1_000), options.scale, 20));
  }
  return submit(tmux, target, profile, options, Math.min(15_000, text.length / 60));
}

/** Why nothing may be typed now. */
function obstacleIn({ reading, draft }: Extract<Look, { kind: 'seen' }>): string | null {
  if (reading.kind === 'dialog') return `a dialog is open: ${reading.hint}`;
  if (reading.kind === 'limited') return `it has reached a usage limit: ${reading.line}`;
  if (reading.kind === 'unknown') return 'it is not ready: its screen shows neither a prompt nor work';
  return draft ? `somebody is typing in its pane: ${JSON.stringify(draft.slice(0, 40))}` : null;
}

/** Null where the text cannot arrive whole. Only long text and line breaks make a difference, only they are asked about. */
async function fitToTerminal(text: string, tty: string): Promise<string | null> {
  const bytes = Buffer.byteLength(text);
  if (!text.includes('\n') && bytes < 1_000) return text;
  if ((await ttyMode(tty)) !== 'line') return text;
  return bytes < lineModeBytes ? text.replaceAll('\n', ' ') : null;
}

/** Through a buffer of its own, from standard input, in brackets where the program asked for them; null when it is in. */
async function paste(tmux: Tmux, paneId: string, text: string): Promise<Receipt | null> {
  const buffer = `gastown-${process.pid}-${randomBytes(6).toString('hex')}`;
  // -r: line breaks stay line breaks, -d: the buffer goes.
  const [loaded, pasted] = await tmux.runAll(
    [
      ['load-buffer', '-b', buffer, '-'],
      ['paste-buffer', '-p', '-r', '-d', '-b', buffer, '-t', paneId],
    ],
    { input: text },
  );
  if (loaded?.kind === 'ok' && pasted?.kind === 'ok') return null;
  await tmux.run(['delete-buffer', '-b', buffer]);
  const problem = loaded?.kind === 'ok' ? pasted : loaded;
  const why = (problem && replyProblem(problem)) ?? 'tmux did not answer';
  return problem?.kind === 'unknown' ? { kind: 'unverified', why } : { kind: 'failed', why };
}
