/**
 * `gastown dissolve` and `gt dissolve`: words in, one line out, with exit codes of its own (decision 20). Everything a
 * refusal prints is constant, in every output mode.
 */
import { parseDissolveWords } from '../../domain/handoff.ts';
import { type Refusal, refusalExit, refusalRecord, refusalText } from '../../domain/handoff-refusal.ts';
import { toLine } from '../../domain/json.ts';
import { type DissolveOutcome, type DissolveStep, dissolve } from '../../town/handoff/dissolve.ts';
import type { Io } from '../io.ts';

type GateIo = Pick<Io, 'out' | 'err' | 'env' | 'cwd'>;

const help = `usage: dissolve --cycle N [--json]
       dissolve --digest HEX [--json]

Archives this tree's HOOK_NEXT_CYCLE.md below cycles/. Read the handoff and tell the human what it says first; the
value you give is one that only the file tells.

  --cycle N      the cycle its first line declares, in digits   (say, --cycle 7)
  --digest HEX   the first twelve or more hex digits of its SHA-256
  --json         the outcome as JSON

It stops the accident, a ritual followed unread or from the wrong tree; it does not stop an adversary. It proves that the
file was opened, not that it was understood.

exit codes: 0 dissolved, 2 usage, 3 not armed, 4 value does not match, 5 wrong tree or session, 6 unsafe or malformed
            handoff, 7 lost a race or changed meanwhile, 8 cannot archive
`;

/** `argv` after the word `dissolve`. Answers the exit code. */
export async function runDissolve(argv: readonly string[], io: GateIo): Promise<number> {
  const words = parseDissolveWords(argv);
  if (words.kind === 'help') {
    io.out(help);
    return 0;
  }
  if (words.kind === 'wrong') return printRefusal({ reason: 'usage' }, words.json, io);
  const outcome = await dissolve({
    cwd: io.cwd,
    env: io.env,
    proof: words.proof,
    now: Date.now(),
    onStep: stepWatcher(io, words.debug),
  });
  return outcome.kind === 'refused'
    ? printRefusal(outcome.refusal, words.json, io)
    : printDone(outcome, words.json, io);
}

function printRefusal(refusal: Refusal, json: boolean, io: GateIo): number {
  if (json) io.out(`${toLine(refusalRecord(refusal))}\n`);
  io.err(`dissolve: ${refusalText(refusal)}\n`);
  return refusalExit(refusal.reason);
}

function printDone(done: DissolveOutcome & { kind: 'dissolved' }, json: boolean, io: GateIo): number {
  if (json)
    io.out(`${toLine({ dissolved: true, archive: done.archive, tree: done.tree, recorded: !done.unrecorded })}\n`);
  else io.out(`dissolved: ${done.archive} (not committed)\n`);
  if (done.unrecorded) io.err('dissolve: archived, but cycles/ledger.ndjson could not be written; check the disk\n');
  return 0;
}

/** `--debug` tells which checks were passed, by name. Under test alone, a run can be killed after one of them. */
function stepWatcher(io: GateIo, debug: boolean): (step: DissolveStep) => void {
  const fatal = io.env['GASTOWN_TEST'] === '1' ? io.env['GASTOWN_KILL_AFTER'] : undefined;
  return (step) => {
    if (debug) io.err(`dissolve: passed ${step}\n`);
    if (step === fatal) process.kill(process.pid, 'SIGKILL');
  };
}
