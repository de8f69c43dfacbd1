import { toLine } from '../../domain/json.ts';
import type { JournalEntry } from '../../domain/records.ts';
import { cleanLine } from '../../domain/text.ts';
import { followLog, journalTail } from '../../town/log.ts';
import { agentOrNull, wholeNumber } from '../arguments.ts';
import type { Call } from '../command.ts';
import { warn } from '../print.ts';

/** One line an entry; JSON lines with --json. */
export async function log(call: Call): Promise<undefined> {
  const agent = agentOrNull(call);
  const count = wholeNumber(call, 'lines', 50, [1, 100_000]);
  const town = await call.town();
  const { entries, torn } = journalTail(town, agent === null ? count : 100_000);
  if (torn > 0) warn(call, `${torn} lines of the journal cannot be read`);
  const show = (shown: JournalEntry[]): void => {
    for (const entry of shown) {
      if (agent === null || entry.agent_id === agent)
        call.io.out(`${call.flag('json') ? toLine(entry) : lineOf(entry)}\n`);
    }
  };
  show(entries.filter((entry) => agent === null || entry.agent_id === agent).slice(-count));
  if (call.flag('follow')) await followLog(town, show);
}

const lineOf = ({ at, kind, by, message }: JournalEntry): string =>
  `${at.slice(0, 19).replace('T', ' ')}  ${cleanLine(kind).padEnd(16)}  ${cleanLine(message)} (${cleanLine(by)})`;
