/**
 * The control pane's eye on the deacon: one that is gone is started again in its window, a few times; then it is the
 * human's. Who stopped it on purpose is not contradicted.
 */
import { errorText } from '../../domain/errors.ts';
import { scaled, type Town } from '../context.ts';
import { note } from '../note.ts';
import { reviveOwnPanes } from '../windows.ts';
import { deaconStatus } from './control.ts';

const lookSeconds = 5;
/** Revivals within that time; a deacon that always ends has a reason. */
const most = { revivals: 3, withinSeconds: 600 };

/** `onNotice`: a standing condition for the operator, or null where there is none. Until `end`. */
export function mendDeacon(town: Town, onNotice: (text: string | null) => void): { end(): void } {
  const revivedAt: number[] = [];
  let missed = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const look = async (): Promise<string | null> => {
    const record = town.store.town.read();
    const isWanted = record.kind === 'ok' && record.value.running && record.value.deacon_stopped !== true;
    missed = isWanted && deaconStatus(town).running === false ? missed + 1 : 0;
    // Seen twice: one that is just being started is not raced.
    if (missed < 2) return null;
    const recent = revivedAt.filter((at) => town.clock() - at < scaled(town, most.withinSeconds)).length;
    if (recent >= most.revivals) {
      return `the deacon ended ${recent + 1} times within minutes: look at its window, then gastown deacon start`;
    }
    const revived = await reviveOwnPanes(town, ['deacon']);
    if (revived.length === 0) return 'no deacon looks after the agents, and its window is gone: gastown deacon start';
    revivedAt.push(town.clock());
    missed = 0;
    note(town, 'deacon.revived', 'the deacon was gone: the control pane started it again');
    return null;
  };

  const loop = (): void => {
    timer = setTimeout(
      () => {
        void look()
          .catch((error: unknown) => `the deacon cannot be looked after: ${errorText(error)}`)
          .then((text) => {
            if (ended) return;
            onNotice(text);
            loop();
          });
      },
      Math.max(500, scaled(town, lookSeconds)),
    );
  };
  loop();
  return {
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}
