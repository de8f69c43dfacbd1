/** Every drawn sign, twice: for UTF-8 terminals and in 7-bit ASCII. All are one column wide everywhere. */
import type { AgentState } from '../../domain/status.ts';

export interface Glyphs {
  states: Record<AgentState, string>;
  bars: readonly string[];
  ellipsis: string;
  cursor: string;
  mark: string;
  rule: string;
  mail: string;
  dot: string;
  alert: string;
  running: string;
  verified: string;
  unverified: string;
  queued: string;
  failed: string;
  enter: string;
  more: string;
  armed: string;
}

export const unicodeGlyphs: Glyphs = {
  states: {
    stopped: '□',
    spawning: '◌',
    idle: '○',
    pending: '◔',
    working: '●',
    asking: '?',
    dialog: '?',
    limited: '◷',
    stalled: '!',
    done: '✓',
    failed: '✗',
    paused: '‖',
    backoff: '◷',
    crashlooping: '↻',
    escalated: '▲',
    dead: '✗',
    unknown: '·',
  },
  bars: [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇'],
  ellipsis: '…',
  cursor: '▌',
  mark: '◆',
  rule: '─',
  mail: '✉',
  dot: '·',
  alert: '▲',
  running: '◌',
  verified: '✓',
  unverified: '~',
  queued: '◷',
  failed: '✗',
  enter: '⏎',
  more: '↓',
  armed: '◆',
};

export const asciiGlyphs: Glyphs = {
  states: {
    stopped: '-',
    spawning: '.',
    idle: 'o',
    pending: '>',
    working: '*',
    asking: '?',
    dialog: '?',
    limited: 'z',
    stalled: '!',
    done: '+',
    failed: 'x',
    paused: '=',
    backoff: 'z',
    crashlooping: '@',
    escalated: '^',
    dead: 'x',
    unknown: '~',
  },
  bars: [' ', '.', '.', ':', ':', '|', '|', '#'],
  ellipsis: '~',
  cursor: '>',
  mark: '*',
  rule: '-',
  mail: '@',
  dot: '-',
  alert: '!',
  running: '.',
  verified: '+',
  unverified: '~',
  queued: 'z',
  failed: 'x',
  enter: 'enter',
  more: 'v',
  armed: '*',
};
