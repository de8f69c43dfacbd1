/** Completes or undoes what a killed run left in a tree; safe to run at any time, also beside a live run. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { archiveFolder } from '../../domain/handoff.ts';
import { archiveOf, sweepPartials } from './archive.ts';
import { claimsIn, isHeld, putBack, removeIfThere, syncFolder } from './claim.ts';
import { appendLedger, readLedger } from './ledger.ts';
import { hashFile } from './safe-open.ts';

export interface Recovery {
  /** A claim whose bytes were archived is gone now; the dissolution it belonged to is complete. */
  finished: boolean;
  /** A live run holds a claim: the handoff is being dissolved at this moment. */
  held: boolean;
}

/**
 * For each claim that no live run holds: bytes archived → the claim is removed and the ledger completed; not archived →
 * the handoff gets its name back (unless a new one has it: then both stay). Abandoned partial copies are removed.
 */
export function recover(tree: string, now: number): Recovery {
  const folder = realArchiveFolder(tree);
  const recovery: Recovery = { finished: false, held: false };
  for (const claim of claimsIn(tree)) {
    if (isHeld(claim, now)) {
      recovery.held = true;
      continue;
    }
    const sha256 = hashFile(join(tree, claim));
    const archive = sha256 === null || folder === null ? null : archiveOf(folder, sha256);
    if (sha256 === null || folder === null || archive === null) {
      putBack(tree, claim);
      continue;
    }
    completeLedger(tree, folder, archive, sha256, now);
    removeIfThere(join(tree, claim));
    syncFolder(tree);
    recovery.finished = true;
  }
  if (folder !== null) sweepPartials(folder, now);
  return recovery;
}

function completeLedger(tree: string, folder: string, archive: string, sha256: string, now: number): void {
  if (readLedger(folder).some((entry) => entry.archive === archive)) return;
  const at = new Date(now).toISOString();
  appendLedger(folder, { event: 'recovered', at, by: 'gate', tree, sha256, archive, pid: process.pid });
}

/** A link in its place leads elsewhere: nothing behind it is ours to read or sweep. */
function realArchiveFolder(tree: string): string | null {
  const folder = join(tree, archiveFolder);
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? folder : null;
}
