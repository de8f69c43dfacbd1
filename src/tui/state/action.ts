import type { Context, Step } from './context.ts';
import type { ScreenName } from './ui-state.ts';

/** One thing the operator can do. */
export interface Action {
  /** Name in the palette: `sling`, `pause town`. */
  name: string;
  /** Keys as the decoder names them; the first is shown. Empty: only in the palette. */
  keys: readonly string[];
  /** One or two words for the footer. */
  label: string;
  /** One sentence for help and palette. */
  does: string;
  group: 'move' | 'agent' | 'look' | 'town' | 'list';
  screens: 'all' | readonly ScreenName[];
  /** It asks before it is done. */
  destructive: boolean;
  /** Place in the footer, lowest first; null keeps it out. */
  footer: number | null;
  /** Why it cannot be done now; null when it can. */
  whyNot(context: Context): string | null;
  run(context: Context): Step;
}

export const always = (): null => null;
