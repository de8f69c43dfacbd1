/** `gastown mode`, `gt mode`, `gt phase`: execution modes. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorText, refused, usage } from '../../domain/errors.ts';
import { parseId } from '../../domain/ids.ts';
import { hardMaximum, isMode, type ModeName, modeNames } from '../../domain/mode/names.ts';
import { modeStatusOf } from '../../domain/mode/status-of.ts';
import { callerOf } from '../../town/agent/caller.ts';
import { readImport } from '../../town/import.ts';
import { beginMode } from '../../town/modes/begin.ts';
import { cancelModes } from '../../town/modes/cancel.ts';
import { phaseDone } from '../../town/modes/phase.ts';
import { readModes, type TownModes } from '../../town/modes/status.ts';
import { giveVerdict } from '../../town/modes/verdict.ts';
import { agentArgument, agentOrNull, oneOf, wholeNumber } from '../arguments.ts';
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function start(call: Call): Promise<undefined> {
  const mode = modeArgument(call.args[0] ?? '');
  const agentId = agentArgument(call, 1);
  const stages = call.text('stages')?.split('|');
  const command = call.text('command');
  const reviewer = call.text('reviewer');
  const plan = call.text('plan');
  if (plan !== undefined && mode !== 'ultrapilot') throw usage(`--plan is for ultrapilot, not ${mode}`);
  const workers = call.text('workers') === undefined ? null : wholeNumber(call, 'workers', 5, [1, 100]);
  const most = call.text('max') === undefined ? null : wholeNumber(call, 'max', 1, [1, hardMaximum]);
  const { record } = await beginMode(await call.town(), {
    mode,
    agentId,
    goal: call.rest.join(' '),
    by: 'operator',
    options: {
      ...(stages ? { stages } : {}),
      ...(command === undefined ? {} : { command }),
      ...(reviewer === undefined ? {} : { reviewer: parseId('agent', reviewer) }),
      ...(workers === null ? {} : { workers }),
      ...(plan === undefined ? {} : { plan: { text: readImport(resolve(call.io.cwd, plan)), fileName: plan } }),
    },
    ...(most === null ? {} : { maxIterations: most }),
  });
  const shown = { ...modeStatusOf(record), agent_id: agentId, goal: record.goal };
  if (plan !== undefined) return (await import('./ultrapilot.ts')).show(call);
  print(call, shown, () => [
    `${mode} begins for ${agentId} (${record.run_id}); at most ${shown.max_iterations} continuations`,
    `its first prompt is typed when ${agentId} is idle; end it: gastown mode cancel ${agentId}`,
  ]);
}

export async function status(call: Call): Promise<undefined> {
  const agentId = agentOrNull(call);
  const found = readModes((await call.town()).store, agentId);
  print(call, found, () => lines(found));
}

/** `gt mode`: the caller's own. */
export async function ownStatus(call: Call): Promise<undefined> {
  const town = await call.town();
  const { agent } = await callerOf(town);
  const found = readModes(town.store, agent.agent_id);
  print(call, found, () => lines(found));
}

const lines = ({ modes, broken }: TownModes): string[] => [
  ...(modes.length === 0
    ? ['no mode is active']
    : columns(
        ['AGENT', 'MODE', 'ITERATION', 'PHASE', 'STORY', 'BUDGET', 'WHAT'],
        modes.map((mode) => [
          mode.agent_id,
          mode.active ? mode.mode : `${mode.mode} (over)`,
          `${mode.iteration}/${mode.max_iterations}`,
          mode.phase ?? '-',
          (mode.story ?? '-').slice(0, 40),
          String(mode.budget),
          mode.detail,
        ]),
      )),
  ...broken.map(({ path, reason }) => `${path} cannot be read: ${reason}; mend or remove it`),
];

/** Exit 3 where nothing was active, and it says so. */
export async function cancel(call: Call): Promise<undefined> {
  // `mode cancel ralph` names the mode.
  const first = call.args[0];
  const isModeFirst = first !== undefined && call.args[1] === undefined && isMode(first);
  const agentId = isModeFirst ? null : agentOrNull(call);
  const word = isModeFirst ? first : (call.args[1] ?? call.text('mode'));
  const session = call.text('session');
  const town = await call.town();
  const done = await cancelModes(
    town.store,
    {
      agentId,
      sessionId: session === undefined ? null : parseId('session', session),
      mode: word === undefined ? null : modeArgument(word),
      by: town.env['GT_AGENT_ID'] ?? 'operator',
    },
    town.clock(),
  );
  if (done.cancelled.length === 0) {
    const cleared = done.cleared.length === 0 ? '' : `; ${done.cleared.length} that were over are removed`;
    throw refused(`nothing active to cancel${cleared}`, 'see gastown mode status');
  }
  print(call, done, () => [
    ...done.cancelled.map(
      ({ mode, agent_id, session_id, path }) =>
        `cancelled ${mode} of ${agent_id}, session ${session_id}: removed ${path}`,
    ),
    ...done.cleared.map(({ mode, path }) => `${mode} was over: removed ${path}`),
  ]);
}

export async function approve(call: Call): Promise<undefined> {
  const line = await giveVerdict(await call.town(), call.args[0] ?? '', {
    approved: true,
    feedback: call.rest.join(' '),
  });
  print(call, { request_id: call.args[0], result: line }, () => [line]);
}

export async function reject(call: Call): Promise<undefined> {
  const feedback = call.rest.join(' ').trim();
  if (feedback === '') throw usage('a rejection says what is wrong', 'add it after the request');
  const line = await giveVerdict(await call.town(), call.args[0] ?? '', { approved: false, feedback });
  print(call, { request_id: call.args[0], result: line }, () => [line]);
}

/** `gt phase done`. */
export async function finishPhase(call: Call): Promise<undefined> {
  const done = await phaseDone(await call.town(), outputOf(call));
  print(call, done, () => [done.say]);
}

function outputOf(call: Call): string {
  const file = call.text('output');
  if (file === undefined) return call.rest.join(' ');
  try {
    return readFileSync(file, 'utf8').slice(0, 65_536);
  } catch (error) {
    throw usage(`cannot read ${file}: ${errorText(error)}`, 'name a file that is there');
  }
}

const modeArgument = (word: string): ModeName => oneOf(word, modeNames, 'mode');
