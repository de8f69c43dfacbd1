/** Writing a handoff: never over one that is armed. Superseding one needs the same proof as dissolving it. */
import { join } from 'node:path';
import { conflict, type GastownError, refused, unreadable } from '../../domain/errors.ts';
import { archiveFolder, declaredCycle, hookFile, type ReadProof } from '../../domain/handoff.ts';
import { composeHandoff, type HandoffFacts, laterOf, nextCycle } from '../../domain/handoff-compose.ts';
import { lintHandoff } from '../../domain/handoff-lint.ts';
import { type Refusal, refusalExit, refusalText } from '../../domain/handoff-refusal.ts';
import { git } from '../../git/git.ts';
import { createAtomic } from '../../store/atomic-write.ts';
import { highestArchived } from './archive.ts';
import { armedIn } from './armed.ts';
import { dissolve } from './dissolve.ts';
import { recover } from './recover.ts';
import { GateRefusal } from './refusal.ts';
import { openHandoff, strictText } from './safe-open.ts';
import { checkSession, type Environment, sessionFacts } from './session-binding.ts';
import { findTree } from './tree.ts';

export interface WriteRequest {
  cwd: string;
  env: Environment;
  now: number;
  title: string | null;
  /** Null writes a minimal one from the facts of the tree. */
  body: string | null;
  /** Proof of having read the armed handoff that this one replaces. */
  supersede: ReadProof | null;
  /** The agent whose session it tells of, where somebody else has it written. */
  about?: string;
}

export interface WrittenHandoff {
  tree: string;
  /** `cycles/<name>` of the one that was superseded; null when none was armed. */
  superseded: string | null;
}

/**
 * Exit 5 when a handoff is armed and no proof was given, or another writer was faster; 3 when the text is no handoff,
 * the tree is not the caller's or the proof is wrong. Nothing is lost on the way: the old one is archived first.
 */
export async function writeHandoff(request: WriteRequest): Promise<WrittenHandoff> {
  const { tree, agentId } = callersTree(request);
  recover(tree, request.now);
  const armed = armedIn(tree, request.now).armed;
  if (armed && request.supersede === null) {
    throw conflict(
      `a handoff is armed in ${tree} and nobody has dissolved it`,
      'read and dissolve it, or supersede it with its value (--supersede-cycle N)',
    );
  }
  const text = await compose(request, tree, agentId, armed);
  let superseded: string | null = null;
  if (armed && request.supersede !== null) {
    const { cwd, env, now, supersede: proof } = request;
    const outcome = await dissolve({ cwd, env, now, proof, as: 'superseded' });
    if (outcome.kind === 'refused') throw toError(outcome.refusal);
    superseded = outcome.archive;
  }
  if (!createAtomic(join(tree, hookFile), text)) {
    throw conflict('another handoff was written at the same moment', 'read that one; yours was not written');
  }
  return { tree, superseded };
}

async function compose(request: WriteRequest, tree: string, agentId: string | null, armed: boolean): Promise<string> {
  const highest = laterOf(highestArchived(join(tree, archiveFolder)), armed ? armedCycle(tree) : null);
  const cycle = nextCycle(highest);
  if (cycle === null) throw refused('the cycle numbers are used up (nine digits)', 'move the archives elsewhere');
  const facts = await collectFacts(request, tree, agentId);
  const text = composeHandoff(facts, { cycle, title: request.title, body: request.body });
  const faults = lintHandoff(Buffer.from(text), text.includes('\0') ? null : text, highest).filter(
    ({ level }) => level === 'error',
  );
  if (faults[0]) throw refused(`this is no handoff: ${faults[0].message}`, 'mend it; nothing was written');
  return text;
}

function armedCycle(tree: string): string | null {
  try {
    const text = strictText(openHandoff(join(tree, hookFile)).bytes);
    return text === null ? null : declaredCycle(text);
  } catch {
    return null;
  }
}

async function collectFacts(
  { env, now, about }: WriteRequest,
  tree: string,
  caller: string | null,
): Promise<HandoffFacts> {
  const ask = async (...args: string[]): Promise<string | null> => {
    const answer = await git(tree, args, { timeoutMs: 5_000 });
    return answer.ok ? answer.out : null;
  };
  const [branch, head, changes] = await Promise.all([
    ask('symbolic-ref', '--short', 'HEAD'),
    ask('log', '-1', '--format=%h %s'),
    ask('status', '--short'),
  ]);
  const agentId = caller ?? about ?? null;
  const { session_id, hook } = agentId === null ? { session_id: null, hook: null } : sessionFacts(env, agentId);
  return { at: new Date(now).toISOString(), by: caller ?? 'human', session_id, branch, head, changes, hook };
}

/** The tree the caller stands in, if it is theirs to write in or look at. */
function callersTree({ cwd, env }: WriteRequest): { tree: string; agentId: string | null } {
  try {
    const tree = findTree(cwd, env['PATH']);
    return { tree, agentId: checkSession(tree, env)?.agentId ?? null };
  } catch (error) {
    if (error instanceof GateRefusal) throw toError({ reason: error.reason });
    throw error;
  }
}

/** The gate's refusal in the exit codes of every other command. */
function toError(refusal: Refusal): GastownError {
  const message = refusalText(refusal);
  const exit = refusalExit(refusal.reason);
  if (exit === 7) return conflict(message);
  return exit === 8 ? unreadable(message) : refused(message);
}
