import { init as initTown } from '../../town/init.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function init(call: Call): Promise<undefined> {
  const report = await initTown(await call.town());
  print(call, report, () => {
    const { config, ignored, found } = report;
    const agents = found.length === 0 ? 'no agent program found: two simulated agents' : `for ${found.join(', ')}`;
    return [
      config.did === 'written' ? `wrote ${config.path} (${agents})` : `kept ${config.path} as it is`,
      ...(ignored?.did === 'written' ? [`added .chipset/ to ${ignored.path}`] : []),
      'next: gastown up',
    ];
  });
}
