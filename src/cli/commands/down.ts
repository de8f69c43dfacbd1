import { down as takeDown } from '../../town/down.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

/** Exit 3 when something survived. */
export async function down(call: Call): Promise<number> {
  const dryRun = call.flag('dryRun');
  const report = await takeDown(await call.town(), { dryRun });
  print(call, report, () => [
    ...(report.stopped.length === 0 && report.survivors.length === 0 ? ['nothing was running'] : []),
    ...report.stopped.map((what) => `${dryRun ? 'would stop' : 'stopped'} ${what}`),
    ...report.survivors.map(({ what, pid }) => `survived: ${what} (pid ${pid})`),
  ]);
  return report.survivors.length === 0 ? 0 : 3;
}
