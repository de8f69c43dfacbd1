/** The metrics of seed 001, read and summed up, as data and as Prometheus text. */
import { type MetricsSummary, type Sample, summarize } from '../../domain/metrics.ts';
import { runtimeOf } from '../../runtimes/registry.ts';
import type { Town } from '../context.ts';
import { readSamples } from './samples.ts';

export interface MetricsReport extends MetricsSummary {
  /** Samples within the window, and lines nobody could read. */
  samples: number;
  torn: number;
}

export function metricsReport(town: Town): MetricsReport {
  const { samples, torn } = readSamples(town, town.clock());
  return { ...summarizeFor(town, samples), samples: samples.length, torn };
}

export const summarizeFor = (town: Town, samples: readonly Sample[]): MetricsSummary =>
  summarize(samples, (runtime) => idealSeconds(town, runtime));

/** A runtime that is not configured any more has the seed's ideal for an unknown one. */
export function idealSeconds(town: Town, runtime: string): number {
  try {
    return runtimeOf(runtime, town.config.runtimes).descriptor.idealResponseS;
  } catch {
    return 120;
  }
}

/** Nudges beyond these are history: each is a time series of its own. */
const shownNudges = 100;

/** Valid exposition text under seed 001's names; booleans are 0 and 1, and all four types are always there. */
export async function prometheusText(report: MetricsSummary): Promise<string> {
  const { Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });

  const response = gauge(
    'gupp_response_time_seconds',
    'Last time from hook assignment to first work activity, in seconds.',
    ['agent', 'runtime'],
  );
  for (const { agent, runtime, seconds } of report.responses) response.set({ agent, runtime }, seconds.at(-1) ?? 0);

  const nudge = gauge(
    'gupp_nudge_effective',
    'Whether the agent resumed work within nudge_interval of this nudge: 1 or 0.',
    ['agent', 'nudge_id'],
  );
  for (const { agent, nudge_id, effective } of report.nudges.slice(-shownNudges)) {
    nudge.set({ agent, nudge_id }, effective ? 1 : 0);
  }

  const success = gauge(
    'gupp_strategy_success_rate',
    'Share of GUPP activations in which work began within the ideal response time.',
    ['runtime', 'strategy'],
  );
  for (const { runtime, strategy, rate } of report.strategies) success.set({ runtime, strategy }, rate.value);

  const stalls = gauge('gupp_stalls_per_session', 'Stall episodes divided by sessions.', ['runtime']);
  for (const { runtime, stallsPerSession } of report.runtimes) {
    if (stallsPerSession !== null) stalls.set({ runtime }, stallsPerSession);
  }
  return registry.metrics();
}
