/**
 * The four metrics of seed 001, under its names. A failure is a sample like any other: an agent that never began, a
 * nudge that changed nothing. One sample is one line of `metrics/samples.jsonl`.
 */
import * as z from 'zod/mini';
import { isoTime } from './time.ts';

const common = { at: isoTime, agent_id: z.string(), runtime: z.string(), bead_id: z.nullable(z.string()) };

export const sampleSchema = z.discriminatedUnion('metric', [
  /** Assignment until the first work activity; only once the hook became active. */
  z.looseObject({ ...common, metric: z.literal('response'), seconds: z.number(), session: z.nullable(z.string()) }),
  /** One assignment: did work begin within the runtime's ideal? Decided at the beginning or when the window closed. */
  z.looseObject({ ...common, metric: z.literal('activation'), strategy: z.string(), success: z.boolean() }),
  /** One nudge: did work resume within the nudge interval? A reply without work is no. */
  z.looseObject({ ...common, metric: z.literal('nudge'), nudge_id: z.string(), effective: z.boolean() }),
  /** One stall episode, at its first crossing of the threshold. */
  z.looseObject({ ...common, metric: z.literal('stall') }),
  /** One session of an agent, when it was first seen. */
  z.looseObject({ ...common, metric: z.literal('session'), session: z.string() }),
  /** The end of an episode: how many restarts it took, and whether work resumed. */
  z.looseObject({ ...common, metric: z.literal('episode'), restarts: z.number(), recovered: z.boolean() }),
]);
export type Sample = z.infer<typeof sampleSchema>;

/** Fewer decided samples than this are "insufficient data". */
export const minimumSamples = 10;

/** Samples older than this no longer count. */
export const windowMs = 7 * 24 * 3_600_000;

export interface Rate {
  n: number;
  value: number;
}

export interface ResponseRow {
  agent: string;
  runtime: string;
  /** Seconds, oldest first. */
  seconds: number[];
}

export interface RuntimeRow {
  runtime: string;
  /** Seconds: the median of all responses; null without any. */
  medianResponse: number | null;
  stalls: number;
  sessions: number;
  /** null without a session to divide by. */
  stallsPerSession: number | null;
  nudge: Rate | null;
  /** Episodes that needed a restart, and the share of them that recovered. */
  restartCure: Rate | null;
}

export interface MetricsSummary {
  responses: ResponseRow[];
  nudges: { agent: string; nudge_id: string; effective: boolean; at: string }[];
  strategies: { runtime: string; strategy: string; rate: Rate }[];
  runtimes: RuntimeRow[];
  /** What seed 001 says of the numbers, in plain sentences. */
  remarks: string[];
}

/** Sums up samples in the order they were written. Those outside the window are left out by the caller. */
export function summarize(samples: readonly Sample[], idealSeconds: (runtime: string) => number): MetricsSummary {
  const responses = new Map<string, ResponseRow>();
  const strategies = new Map<string, { runtime: string; strategy: string; hits: boolean[] }>();
  const runtimes = new Map<string, RuntimeTally>();
  const nudges: MetricsSummary['nudges'] = [];

  for (const sample of samples) {
    const tally = at(runtimes, sample.runtime, newTally);
    switch (sample.metric) {
      case 'response': {
        const key = `${sample.agent_id} ${sample.runtime}`;
        const empty = () => ({ agent: sample.agent_id, runtime: sample.runtime, seconds: [] });
        at(responses, key, empty).seconds.push(sample.seconds);
        tally.seconds.push(sample.seconds);
        break;
      }
      case 'activation': {
        const { runtime, strategy } = sample;
        at(strategies, `${runtime} ${strategy}`, () => ({ runtime, strategy, hits: [] })).hits.push(sample.success);
        break;
      }
      case 'nudge':
        nudges.push({
          agent: sample.agent_id,
          nudge_id: sample.nudge_id,
          effective: sample.effective,
          at: sample.at,
        });
        tally.nudges.push(sample.effective);
        break;
      case 'stall':
        tally.stalls += 1;
        break;
      case 'session':
        tally.sessions.add(sample.session);
        break;
      case 'episode':
        if (sample.restarts > 0) tally.cures.push(sample.recovered);
        break;
    }
  }

  const rows = [...runtimes].map(([runtime, tally]): RuntimeRow => {
    const sessions = tally.sessions.size;
    return {
      runtime,
      medianResponse: median(tally.seconds),
      stalls: tally.stalls,
      sessions,
      stallsPerSession: sessions === 0 ? null : tally.stalls / sessions,
      nudge: rateOf(tally.nudges),
      restartCure: rateOf(tally.cures),
    };
  });
  return {
    responses: [...responses.values()],
    nudges,
    strategies: [...strategies.values()].flatMap(({ runtime, strategy, hits }) => {
      const rate = rateOf(hits);
      return rate ? [{ runtime, strategy, rate }] : [];
    }),
    runtimes: rows,
    remarks: rows.flatMap((row) => remarksOn(row, idealSeconds(row.runtime))),
  };
}

interface RuntimeTally {
  seconds: number[];
  nudges: boolean[];
  cures: boolean[];
  stalls: number;
  sessions: Set<string>;
}

const newTally = (): RuntimeTally => ({ seconds: [], nudges: [], cures: [], stalls: 0, sessions: new Set() });

function remarksOn(row: RuntimeRow, ideal: number): string[] {
  const said: string[] = [];
  if (row.nudge && row.nudge.n >= minimumSamples && row.nudge.value < 0.5) {
    said.push(
      `${row.runtime}: ${percent(row.nudge.value)} of ${row.nudge.n} nudges were effective: the stall threshold is too ` +
        'aggressive, or the agents are genuinely stuck and need a restart rather than a nudge',
    );
  }
  if (row.medianResponse !== null && row.medianResponse > ideal) {
    said.push(`${row.runtime}: median response ${round(row.medianResponse)} s, ideal is under ${ideal} s`);
  }
  return said;
}

/** Middle value; of an even number the mean of the two middle ones; null of none. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (upper === undefined) return null;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? upper;
  return (lower + upper) / 2;
}

const rateOf = (hits: readonly boolean[]): Rate | null =>
  hits.length === 0 ? null : { n: hits.length, value: hits.filter(Boolean).length / hits.length };

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const round = (seconds: number): number => Math.round(seconds * 10) / 10;

function at<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
