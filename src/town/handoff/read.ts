/**
 * The control pane's side of the gate: the bytes a human is shown, their acknowledgement, and their dissolution. The
 * digest ties the three together: what was shown is what is acknowledged and what is archived.
 */
import { join } from 'node:path';
import { hookFile, parseTypedProof } from '../../domain/handoff.ts';
import { type ShownHandoff, type ValueOutcome, wrongValue } from '../../domain/handoff-reader.ts';
import { type Refusal, refusalText } from '../../domain/handoff-refusal.ts';
import { visibleLines } from '../../domain/handoff-text.ts';
import { ensureArchiveFolder } from './archive.ts';
import { dissolveTree, refusing } from './dissolve.ts';
import { appendLedger } from './ledger.ts';
import { isAckRequired } from './policy.ts';
import { recover } from './recover.ts';
import { GateRefusal } from './refusal.ts';
import { openHandoff } from './safe-open.ts';

/** The whole handoff of a tree with hidden characters made visible; an interrupted dissolution is settled first. */
export function readHandoff(tree: string, now: number): ShownHandoff {
  try {
    recover(tree, now);
    const { bytes, sha256 } = openHandoff(join(tree, hookFile));
    return { kind: 'open', tree, digest: sha256, lines: visibleLines(bytes.toString('utf8')) };
  } catch (error) {
    if (error instanceof GateRefusal) return { kind: 'refused', message: messageOf(error) };
    throw error;
  }
}

/** Records that a human has read exactly these bytes; null, or the line that says why not. */
export function acknowledgeHandoff(ack: {
  tree: string;
  digest: string;
  sentence: string;
  by: string;
  now: number;
}): string | null {
  try {
    const { sha256 } = openHandoff(join(ack.tree, hookFile));
    if (sha256 !== ack.digest) throw new GateRefusal('changed');
    const folder = ensureArchiveFolder(ack.tree);
    const { tree, sentence, by } = ack;
    const at = new Date(ack.now).toISOString();
    appendLedger(folder, { event: 'acknowledged', at, by, tree, sha256, archive: null, sentence, pid: process.pid });
    return null;
  } catch (error) {
    if (error instanceof GateRefusal) return messageOf(error);
    return refusalText({ reason: 'archive', ...errnoPart((error as NodeJS.ErrnoException).code) });
  }
}

/** The typed value against the bytes that were shown. Wrong and malformed values answer one and the same line. */
export async function dissolveWithValue(request: {
  tree: string;
  digest: string;
  value: string;
  by: string;
  now: number;
}): Promise<ValueOutcome> {
  const proof = parseTypedProof(request.value);
  const outcome = await refusing(async () => {
    if (proof === null) throw new GateRefusal('no_match');
    const { tree, by, now, digest: shown } = request;
    const ackRequired = await isAckRequired(tree);
    return dissolveTree({ tree, proof, event: 'dissolved', by, now, ackRequired, shown, onStep: () => {} });
  });
  if (outcome.kind === 'dissolved') return { kind: 'done', archive: outcome.archive };
  const { refusal } = outcome;
  return { kind: 'refused', message: refusal.reason === 'no_match' ? wrongValue : refusalText(refusal) };
}

function messageOf(error: GateRefusal): string {
  const refusal: Refusal = { reason: error.reason, ...errnoPart(error.errno) };
  return refusalText(refusal);
}

const errnoPart = (errno: string | undefined): { errno?: string } => (errno === undefined ? {} : { errno });
