import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryProfile, Receipt } from '../domain/delivery.ts';
import { type DeliveryOptions, pauseMs } from './delivery-options.ts';
import { replyProblem, type Tmux } from './driver.ts';
import { type Look, lookAtPane, lookWithoutMode, type Target } from './pane-look.ts';

/**
 * Presses the submit key for text that was pasted, and proves that it was taken. The key is pressed again only while the
 * composer still shows what was pasted and no dialog is open: a blind second press could answer one. `digestMs` is added
 * to every wait: a long text takes its program a while.
 */
export async function submit(
  tmux: Tmux,
  target: Target,
  profile: DeliveryProfile,
  options: DeliveryOptions,
  digestMs: number,
): Promise<Receipt> {
  const { submit: key } = profile;
  const landed = await waitForText(tmux, target, profile, pauseMs(3_000, options.scale, 1_000) + digestMs);
  if (landed.kind === 'problem') return { kind: 'unverified', why: landed.why };
  if (landed.reading.kind === 'dialog') {
    return { kind: 'unverified', why: `a dialog opened before the text was submitted: ${landed.reading.hint}` };
  }
  const limitMs = pauseMs(key.proofMs, options.scale, 1_000) + digestMs;
  for (let presses = 1; presses <= key.retries + 1; presses += 1) {
    // Somebody may have scrolled the pane between text and key.
    const before = await lookWithoutMode(tmux, target, profile.screen);
    if (before.kind === 'problem') return { kind: 'unverified', why: before.why };
    if (before.reading.kind === 'dialog') return { kind: 'unverified', why: `a dialog opened: ${before.reading.hint}` };
    // Gone without our key: somebody else submitted or erased it, and only an event could tell which.
    if (landed.draft && !before.draft) {
      const outcome = await waitForProof(tmux, target, profile, options, null, limitMs);
      return outcome === 'still there'
        ? { kind: 'unverified', why: 'its composer was emptied by somebody else' }
        : outcome;
    }
    const text = before.draft;
    const pressed = await tmux.run(['send-keys', '-t', target.pane_id, ...keyWords(key.key, presses, key.retries)]);
    if (pressed.kind !== 'ok') return { kind: 'unverified', why: replyProblem(pressed) ?? '' };
    const outcome = await waitForProof(tmux, target, profile, options, text, limitMs);
    if (outcome !== 'still there') return outcome;
  }
  return { kind: 'unverified', why: `the text stands in its composer; ${key.retries + 1} × ${key.key} had no effect` };
}

/** Some programs on tmux 3.7 do not see the named Enter: the last press is the bare carriage return. */
const keyWords = (key: string, press: number, retries: number): string[] =>
  key === 'Enter' && press > 1 && press === retries + 1 ? ['-H', '0d'] : [key];

const pollMs = 60;

/** The text shows in the composer, or after a while: the program has had its time. Where no line is a composer, at once. */
async function waitForText(tmux: Tmux, target: Target, profile: DeliveryProfile, limitMs: number): Promise<Look> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const look = await lookAtPane(tmux, target, profile.screen, Date.now());
    if (look.kind === 'problem' || look.reading.kind === 'dialog' || look.draft !== '') return look;
    if (performance.now() >= deadline) return look;
    await sleep(pollMs);
  }
}

async function waitForProof(
  tmux: Tmux,
  target: Target,
  profile: DeliveryProfile,
  { proof }: DeliveryOptions,
  text: string | null,
  limitMs: number,
): Promise<Receipt | 'still there'> {
  const deadline = performance.now() + limitMs;
  // An event is the better proof; once the composer is empty it is waited for only a little.
  let emptySince: number | null = null;
  for (;;) {
    if (proof && (await proof())) return { kind: 'verified', proof: 'event' };
    const look = await lookAtPane(tmux, target, profile.screen, Date.now());
    const isEmpty = text !== null && text !== '' && look.kind === 'seen' && look.draft === '' && takesPrompts(look);
    if (!isEmpty) emptySince = null;
    else {
      emptySince ??= performance.now();
      if (!proof || performance.now() - emptySince >= eventMs) return { kind: 'verified', proof: 'composer' };
    }
    if (performance.now() >= deadline && emptySince === null) return withoutProof(look, text);
    await sleep(pollMs);
  }
}

/** How long an event may lag behind the emptied composer, in milliseconds. */
const eventMs = 300;

const takesPrompts = (look: Extract<Look, { kind: 'seen' }>): boolean =>
  look.reading.kind === 'ready' || look.reading.kind === 'busy';

function withoutProof(look: Look, text: string | null): Receipt | 'still there' {
  if (look.kind === 'problem') return { kind: 'unverified', why: look.why };
  if (look.reading.kind === 'dialog') return { kind: 'unverified', why: `a dialog is open: ${look.reading.hint}` };
  if (text !== null && text !== '' && look.draft === text) return 'still there';
  if (text === null || text === '') return { kind: 'unverified', why: 'its screen does not show what it reads' };
  return { kind: 'unverified', why: 'its composer changed, but not to an empty one' };
}
