/** How to draw, read from the environment once and before anything draws. */
import { asciiGlyphs, type Glyphs, unicodeGlyphs } from '../text/glyphs.ts';

export interface Look {
  /** `screen` owns the alternate screen; `lines` prints sentences for screen readers and dumb terminals. */
  mode: 'screen' | 'lines';
  colour: boolean;
  ascii: boolean;
  glyphs: Glyphs;
}

const isOn = (value: string | undefined): boolean => value !== undefined && !['', '0', 'false', 'no'].includes(value);

/**
 * `NO_COLOR` (any non-empty value) and `TERM=dumb` end all colour; nothing else is asked, because the pane paints by itself.
 * `GASTOWN_ASCII` gives ASCII (the locale is not asked: every tmux call of the town carries `-u`);
 * `GASTOWN_SCREEN_READER`, `INK_SCREEN_READER` and a dumb terminal give sentences.
 */
export function readLook(env: NodeJS.ProcessEnv): Look {
  const dumb = env['TERM'] === 'dumb';
  const ascii = isOn(env['GASTOWN_ASCII']);
  const speaks = isOn(env['GASTOWN_SCREEN_READER']) || isOn(env['INK_SCREEN_READER']) || dumb;
  return {
    mode: speaks ? 'lines' : 'screen',
    colour: !dumb && (env['NO_COLOR'] ?? '') === '',
    ascii,
    // Screen readers spell out unusual signs.
    glyphs: ascii || speaks ? asciiGlyphs : unicodeGlyphs,
  };
}
