import { metricsReport, prometheusText } from '../../town/deacon/metrics.ts';
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { print, warn } from '../print.ts';

/** The metrics of seed 001: a table, JSON, or Prometheus text. */
export async function metrics(call: Call): Promise<undefined> {
  const report = metricsReport(await call.town());
  if (report.torn > 0) warn(call, `${report.torn} samples cannot be read`);
  if (call.flag('prometheus')) return void call.io.out(await prometheusText(report));
  const seconds = (values: readonly number[]): string => {
    const sorted = values.toSorted((a, b) => a - b);
    return sorted.length === 0 ? '-' : `${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} s`;
  };
  print(call, report, () => [
    `${report.samples} samples`,
    ...(report.responses.length === 0
      ? []
      : columns(
          ['AGENT', 'RUNTIME', 'STARTS', 'MEDIAN RESPONSE'],
          report.responses.map((row) => [row.agent, row.runtime, String(row.seconds.length), seconds(row.seconds)]),
        )),
    ...report.strategies.map(
      ({ runtime, strategy, rate }) => `${runtime} by ${strategy}: ${Math.round(rate.value * 100)} % began in time`,
    ),
    ...report.remarks,
  ]);
}
