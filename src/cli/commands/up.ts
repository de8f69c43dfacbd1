import { usage } from '../../domain/errors.ts';
import { lostAgents, lostText } from '../../town/lost.ts';
import { isDown } from '../../town/running.ts';
import { up as bringUp } from '../../town/up.ts';
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { print, warn } from '../print.ts';
import { requireTerminal } from '../terminal.ts';

/** Exit 3 when an agent could not be started; the others run. Without --detach the terminal is then the town's. */
export async function up(call: Call): Promise<number | undefined> {
  const detach = call.flag('detach');
  if (!detach) requireTerminal(call.io, 'gastown up', 'to start the town without one: gastown up --detach');
  const layout = call.text('layout');
  const agents = call.text('agents');
  if (agents !== undefined && call.flag('demo')) throw usage('--demo brings its own agents', 'leave --agents out');
  const town = await call.town();
  const resume = call.flag('resume');
  if (resume && (layout ?? agents) !== undefined)
    throw usage('--resume brings back what ran', 'leave the other options out');
  if (resume && town.recorded?.running === true && (await isDown(town)))
    for (const one of lostAgents(town)) call.io.err(`lost ${lostText(one)}\n`);
  const report = await bringUp(town, {
    ...(resume ? { resume: { onStep: (line: string) => call.io.err(`${line}\n`) } } : {}),
    demo: call.flag('demo'),
    ...(layout === undefined ? {} : { layout }),
    ...(agents === undefined ? {} : { agents }),
  });
  for (const warning of report.warnings) warn(call, warning);
  print(call, report, () =>
    columns(
      ['AGENT', 'DID', 'DETAIL'],
      report.agents.map(({ agent_id, did, detail }) => [agent_id, did, detail]),
    ),
  );
  const failed = report.agents.some(({ did }) => did === 'failed');
  if (detach) return failed ? 3 : 0;
  const { attach } = await import('./attach.ts');
  return attach(call);
}
