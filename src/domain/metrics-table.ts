/** The metrics as lines of text: one block a metric, with what seed 001 says of the numbers. */
import { type MetricsSummary, minimumSamples, type Rate } from './metrics.ts';

const bars = '▁▂▃▄▅▆▇█';
const trendLength = 20;

/** One bar a value, the newest `trendLength` of them; empty for none. Scaled from 0 to the greatest. */
export function sparkline(values: readonly number[]): string {
  const shown = values.slice(-trendLength);
  const most = Math.max(...shown, 0);
  return shown.map((value) => bars[most === 0 ? 0 : Math.round((value / most) * (bars.length - 1))] ?? '').join('');
}

export function metricsLines(summary: MetricsSummary): string[] {
  const lines = [
    'gupp_response_time_seconds (hook set → first work)',
    ...orNone(
      summary.responses.map(({ agent, runtime, seconds }) => {
        const last = seconds.at(-1) ?? 0;
        return `  ${agent.padEnd(22)} ${runtime.padEnd(9)} last ${seconds1(last).padStart(8)}  n ${String(seconds.length).padStart(4)}  ${sparkline(seconds)}`;
      }),
    ),
    'gupp_nudge_effective (work resumed within the nudge interval)',
    ...orNone(
      summary.runtimes
        .filter(({ nudge }) => nudge !== null)
        .map(({ runtime, nudge }) => `  ${runtime.padEnd(22)} ${rateText(nudge)}`),
    ),
    'gupp_strategy_success_rate (began within the ideal response time)',
    ...orNone(
      summary.strategies.map(
        ({ runtime, strategy, rate }) => `  ${runtime.padEnd(22)} ${strategy.padEnd(18)} ${rateText(rate)}`,
      ),
    ),
    'gupp_stalls_per_session',
    ...orNone(
      summary.runtimes
        .filter(({ stallsPerSession }) => stallsPerSession !== null)
        .map(
          ({ runtime, stallsPerSession, stalls, sessions }) =>
            `  ${runtime.padEnd(22)} ${(stallsPerSession ?? 0).toFixed(2)}  (${stalls} stalls, ${sessions} sessions)`,
        ),
    ),
  ];
  return summary.remarks.length === 0 ? lines : [...lines, '', ...summary.remarks];
}

const orNone = (lines: string[]): string[] => (lines.length === 0 ? ['  no samples yet'] : lines);

const seconds1 = (value: number): string => `${value.toFixed(1)} s`;

function rateText(rate: Rate | null): string {
  if (rate === null) return 'no samples yet';
  const share = `${Math.round(rate.value * 100)} %`.padStart(6);
  return `${share}  n ${rate.n}${rate.n < minimumSamples ? '  insufficient data' : ''}`;
}
