/** What draws needs a terminal, and says so in one line where there is none (field report 53). */
import { usage } from '../domain/errors.ts';
import type { Io } from './io.ts';

export function requireTerminal(io: Io, command: string, instead: string): void {
  if (!io.isTerminal) throw usage(`${command} needs a terminal`, instead);
  if (io.env['TERM'] === 'dumb') throw usage(`${command} cannot draw on a "dumb" terminal`, instead);
}
