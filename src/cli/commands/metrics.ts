import { metricsLines } from '../../domain/metrics-table.ts';
import { metricsReport, prometheusText } from '../../town/deacon/metrics.ts';
import type { Call } from '../command.ts';
import { print, warn } from '../print.ts';

/** The metrics of seed 001: a table with sparklines, JSON, or Prometheus text. */
export async function metrics(call: Call): Promise<undefined> {
  const report = metricsReport(await call.town());
  if (report.torn > 0) warn(call, `${report.torn} samples cannot be read`);
  if (call.flag('prometheus')) return void call.io.out(await prometheusText(report));
  print(call, report, () => [`${report.samples} samples`, ...metricsLines(report)]);
}
