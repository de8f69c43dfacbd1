/** The commands a phase must pass, by their names in the configuration. */
import type { ModeFacts } from './mode.ts';
import type { ModeCommand } from './record.ts';

export const gatesNamed = ({ gates }: ModeFacts, names: readonly string[]): ModeCommand[] =>
  gates.filter(({ name }) => names.includes(name));
