/**
 * Dissolving: the value a caller gives is compared with the handoff, and the handoff becomes an archive below
 * `cycles/`. The order of the checks is the contract; nothing is written before the archive folder is needed, and the
 * handoff stays armed until a durable copy of exactly its bytes exists and this run, alone, holds its name.
 *
 * Of many callers at once one succeeds: the rename to a claim can only be won once. Killed at any point, the next run
 * of any handoff command completes or undoes it (recover.ts). One window remains: a program that had the file open for
 * writing may still write to it between the last hash and its removal.
 */
import { lstatSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { archiveFolder, declaredCycle, hookFile, proofMatches, type ReadProof } from '../../domain/handoff.ts';
import { contentDefect } from '../../domain/handoff-lint.ts';
import type { Refusal } from '../../domain/handoff-refusal.ts';
import { ensureArchiveFolder, writeArchive } from './archive.ts';
import { countMiss, isOutOfAttempts, resetAttempts } from './attempts.ts';
import { newClaimName, putBack, removeIfThere, syncFolder } from './claim.ts';
import { appendLedger, type LedgerEntry } from './ledger.ts';
import { isAcknowledged, isAckRequired } from './policy.ts';
import { recover } from './recover.ts';
import { errnoOf, GateRefusal } from './refusal.ts';
import { removeDissolveRequest, requestDissolve } from './requests.ts';
import { hashFile, type OpenedHandoff, openHandoff, strictText } from './safe-open.ts';
import { checkSession, type Environment, type SessionBinding } from './session-binding.ts';
import { findTree } from './tree.ts';

/** The points between two effects, in order; a test may stop or interfere there. */
export const dissolveSteps = [
  'recovered',
  'opened',
  'matched',
  'archived',
  'rehashed',
  'claimed',
  'verified',
  'recorded',
  'removed',
] as const;
export type DissolveStep = (typeof dissolveSteps)[number];

export type DissolveOutcome =
  | {
      kind: 'dissolved';
      tree: string /** `cycles/<name>` */;
      archive: string /** The ledger could not be written. */;
      unrecorded: boolean;
    }
  | { kind: 'refused'; refusal: Refusal };

/** For a caller who stands somewhere: `gt dissolve` and `gastown dissolve`. `now` in milliseconds. */
export async function dissolve(request: {
  cwd: string;
  env: Environment;
  proof: ReadProof;
  now: number;
  as?: 'dissolved' | 'superseded';
  onStep?: (step: DissolveStep) => void;
}): Promise<DissolveOutcome> {
  let session: SessionBinding | null = null;
  let tree = '';
  const outcome = await refusing(async () => {
    tree = findTree(request.cwd, request.env['PATH']);
    session = checkSession(tree, request.env);
    if (session && isOutOfAttempts(session)) throw new GateRefusal('attempts');
    return dissolveTree({
      tree,
      proof: request.proof,
      event: request.as ?? 'dissolved',
      by: session ? session.agentId : 'human',
      now: request.now,
      ackRequired: await isAckRequired(tree),
      onStep: request.onStep ?? (() => {}),
    });
  });
  if (session) afterwards(session, tree, outcome, request.now);
  return outcome;
}

function afterwards(session: SessionBinding, tree: string, outcome: DissolveOutcome, now: number): void {
  if (outcome.kind === 'dissolved') {
    resetAttempts(session.stateDir, session.agentId);
    removeDissolveRequest(session.stateDir, session.agentId);
    return;
  }
  const why = outcome.refusal.reason;
  if (why === 'no_match') countMiss(session, now);
  else if (why === 'unacknowledged' || why === 'attempts') requestDissolve(session, { tree, why }, now);
}

export interface TreeDissolution {
  tree: string;
  proof: ReadProof;
  event: LedgerEntry['event'];
  by: string;
  now: number;
  ackRequired: boolean;
  /** Set where somebody was shown the bytes: others than these are refused. */
  shown?: string;
  onStep: (step: DissolveStep) => void;
}

/** Turns what the gate throws into an outcome, also what the system refuses it; any other error is a bug and passed on. */
export async function refusing(work: () => Promise<DissolveOutcome>): Promise<DissolveOutcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GateRefusal)) {
      if (errnoOf(error) === undefined) throw error;
      return { kind: 'refused', refusal: { reason: 'unreadable' } };
    }
    const refusal: Refusal = { reason: error.reason };
    if (error.errno !== undefined) refusal.errno = error.errno;
    return { kind: 'refused', refusal };
  }
}

/** From recovery to the archive, in a tree that is known to be the caller's. Throws refusals. */
export function dissolveTree(request: TreeDissolution): DissolveOutcome {
  const { tree, now, onStep } = request;
  const handoff = openArmed(tree, now, onStep);
  onStep('opened');
  const declared = checkHandoff(request, handoff);
  onStep('matched');
  const folder = ensureArchiveFolder(tree);
  const archive = writeArchive(folder, handoff.bytes, { declared, sha256: handoff.sha256, now });
  onStep('archived');
  let claim: string;
  try {
    claim = claimHandoff(tree, handoff.sha256, now, onStep);
  } catch (error) {
    // The handoff is not ours: it is armed, changed or somebody else's. Our copy says nothing then.
    removeIfThere(join(folder, archive));
    throw error instanceof GateRefusal ? error : new GateRefusal('archive', errnoOf(error));
  }
  const at = new Date(now).toISOString();
  const entry = { event: request.event, at, by: request.by, tree, sha256: handoff.sha256, archive, pid: process.pid };
  const recorded = record(folder, entry);
  onStep('recorded');
  removeIfThere(join(tree, claim));
  syncFolder(tree);
  onStep('removed');
  return { kind: 'dissolved', tree, archive: `${archiveFolder}/${archive}`, unrecorded: !recorded };
}

function openArmed(tree: string, now: number, onStep: TreeDissolution['onStep']): OpenedHandoff {
  const recovery = recover(tree, now);
  onStep('recovered');
  try {
    return openHandoff(join(tree, hookFile));
  } catch (error) {
    if (!(error instanceof GateRefusal)) throw error;
    if (error.reason === 'changed' && !isThere(join(tree, hookFile))) throw new GateRefusal('lost');
    if (error.reason !== 'not_armed') throw error;
    throw new GateRefusal(recovery.held ? 'lost' : recovery.finished ? 'finished' : 'not_armed');
  }
}

/** Everything that is asked of the content; answers the digits its first line declares. */
function checkHandoff(request: TreeDissolution, handoff: OpenedHandoff): string | null {
  const { proof } = request;
  const defect = contentDefect(handoff.bytes.toString('latin1'));
  if (defect !== null) throw new GateRefusal(defect);
  const text = strictText(handoff.bytes);
  const declared = text === null ? null : declaredCycle(text);
  if (proof.kind === 'cycle') {
    if (text === null) throw new GateRefusal('not_text');
    if (declared === null) throw new GateRefusal('first_line');
  }
  if (request.shown !== undefined && request.shown !== handoff.sha256) throw new GateRefusal('changed');
  // Before the match: asked afterwards, this refusal would tell that the value was right.
  if (request.ackRequired && !isAcknowledged(join(request.tree, archiveFolder), handoff.sha256)) {
    throw new GateRefusal('unacknowledged');
  }
  if (!proofMatches(proof, declared, handoff.sha256)) throw new GateRefusal('no_match');
  return declared;
}

/** Wins the handoff for this run and proves that what was won is what was archived. Answers the claim's name. */
function claimHandoff(tree: string, sha256: string, now: number, onStep: TreeDissolution['onStep']): string {
  const hook = join(tree, hookFile);
  if (hashFile(hook) !== sha256) throw new GateRefusal(isThere(hook) ? 'changed' : 'lost');
  onStep('rehashed');
  const claim = newClaimName(now);
  try {
    renameSync(hook, join(tree, claim));
  } catch (error) {
    throw errnoOf(error) === 'ENOENT' ? new GateRefusal('lost') : error;
  }
  syncFolder(tree);
  onStep('claimed');
  // A claim that is gone was completed by another run that took this one for dead: the archive stands.
  if (isThere(join(tree, claim)) && hashFile(join(tree, claim)) !== sha256) {
    throw new GateRefusal(putBack(tree, claim) === 'occupied' ? 'both_kept' : 'changed');
  }
  onStep('verified');
  return claim;
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function record(folder: string, entry: LedgerEntry): boolean {
  try {
    appendLedger(folder, entry);
    return true;
  } catch {
    return false;
  }
}
