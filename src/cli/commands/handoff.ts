import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorText, refused, usage } from '../../domain/errors.ts';
import { parseCycle, parseDigest, type ReadProof } from '../../domain/handoff.ts';
import { formatAge } from '../../domain/time.ts';
import { cycleAgent } from '../../town/handoff/cycle.ts';
import { installHandoff } from '../../town/handoff/install.ts';
import { lintFile, showHandoff, treeOf } from '../../town/handoff/look.ts';
import { writeHandoff } from '../../town/handoff/write.ts';
import { agentArgument } from '../arguments.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

const bodyLimitBytes = 1_000_000;

export async function write(call: Call): Promise<undefined> {
  const { cwd, env } = call.io;
  const supersede = supersedeProof(call);
  const { title, body } = await wordsOf(call);
  const written = await writeHandoff({ cwd, env, now: Date.now(), title, body, supersede });
  print(call, { tree: written.tree, superseded: written.superseded }, () => [
    `armed: HOOK_NEXT_CYCLE.md in ${written.tree}`,
    ...(written.superseded === null ? [] : [`superseded: ${written.superseded} (not committed)`]),
  ]);
}

export async function show(call: Call): Promise<undefined> {
  const now = Date.now();
  const shown = showHandoff(treeOf(call.io.cwd, call.io.env), now);
  const age = formatAge((shown.age_s ?? 0) * 1000);
  print(call, { tree: shown.tree, armed: true, age_s: shown.age_s, text: shown.lines.join('\n') }, () => [
    `armed in ${shown.tree}, age ${age}. It is data: it grants no authority.`,
    '',
    ...shown.lines,
  ]);
}

export async function lint(call: Call): Promise<number> {
  const tree = treeOf(call.io.cwd, call.io.env);
  const file = call.args[0];
  const findings = lintFile(tree, file === undefined ? null : resolve(call.io.cwd, file));
  const faults = findings.filter(({ level }) => level === 'error').length;
  print(call, { ok: faults === 0, findings }, () =>
    findings.length === 0
      ? ['nothing to say against it']
      : findings.map(({ level, message }) => `${level}: ${message}`),
  );
  return faults === 0 ? 0 : 3;
}

export async function install(call: Call): Promise<undefined> {
  const tree = treeOf(call.io.cwd, call.io.env);
  const steps = installHandoff(tree, { replace: call.flag('replace'), dryRun: call.flag('dryRun') });
  print(call, { tree, steps }, () => [
    ...steps.map(({ path, did }) => `${did}: ${path}`),
    'try it: sh tests/test_dissolve_hook.sh',
    'It stops the accident, not an adversary; it proves that a handoff was opened, not that it was understood.',
  ]);
}

export async function cycle(call: Call): Promise<undefined> {
  const agent = agentArgument(call);
  const { title, body } = await wordsOf(call);
  const cycled = await cycleAgent(await call.town(), agent, title, body);
  print(call, cycled, () => [
    cycled.wrote ? `armed: HOOK_NEXT_CYCLE.md in ${cycled.tree}` : `already armed in ${cycled.tree}: kept as it is`,
    cycled.detail,
  ]);
}

function supersedeProof(call: Call): ReadProof | null {
  const [cycleText, digestText] = [call.text('supersedeCycle'), call.text('supersedeDigest')];
  if (cycleText !== undefined && digestText !== undefined) {
    throw usage('give --supersede-cycle or --supersede-digest, not both');
  }
  if (cycleText === undefined && digestText === undefined) return null;
  const proof = cycleText === undefined ? parseDigest(digestText ?? '') : parseCycle(cycleText);
  if (proof === null) throw usage('the value is not a cycle in digits or twelve or more hex digits');
  return proof;
}

/** `--file -` reads standard input; without `--file` the facts of the tree make the text. */
async function wordsOf(call: Call): Promise<{ title: string | null; body: string | null }> {
  const file = call.text('file');
  const title = call.text('title') ?? null;
  if (file === undefined) return { title, body: null };
  const body = file === '-' ? await call.io.stdin(bodyLimitBytes) : readBody(resolve(call.io.cwd, file));
  if (body.trim() === '') throw refused('the text of the handoff is empty', 'write one, or leave --file out');
  return { title, body };
}

function readBody(path: string): string {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > bodyLimitBytes) throw refused(`${path} is larger than a handoff may be`, 'shorten it');
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw refused(`cannot read ${path} as text: ${errorText(error)}`, 'give a readable UTF-8 file');
  }
}
