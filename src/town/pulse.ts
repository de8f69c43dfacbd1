/** Signs of life in spans of ten seconds, for the sparkline. */
export interface Pulse {
  /** Newest last. */
  spans: number[];
  /** Number of the newest span since the epoch. */
  at: number;
  shown: readonly number[];
}

const spanMs = 10_000;
const spanCount = 12;

export const emptyPulse = (now: number): Pulse => {
  const spans = Array.from({ length: spanCount }, () => 0);
  return { spans, at: Math.floor(now / spanMs), shown: [...spans] };
};

/** Counts `beats` at `now` and answers the spans; the same array while nothing changed. */
export function beatPulse(pulse: Pulse, now: number, beats = 1): readonly number[] {
  const at = Math.floor(now / spanMs);
  const passed = Math.min(Math.max(0, at - pulse.at), spanCount);
  for (let span = 0; span < passed; span += 1) {
    pulse.spans.shift();
    pulse.spans.push(0);
  }
  pulse.at = Math.max(at, pulse.at);
  pulse.spans[spanCount - 1] = (pulse.spans.at(-1) ?? 0) + beats;
  if (pulse.spans.some((count, index) => count !== pulse.shown[index])) pulse.shown = [...pulse.spans];
  return pulse.shown;
}
