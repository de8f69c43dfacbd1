/** The metrics as lines, and what follows from them, in one read. */
import type { Measures } from '../../domain/measures.ts';
import { metricsLines } from '../../domain/metrics-table.ts';
import type { Town } from '../context.ts';
import { proposals } from './learning.ts';
import { metricsReport } from './metrics.ts';

export async function readMeasures(town: Town): Promise<Measures> {
  const report = metricsReport(town);
  const torn = report.torn === 0 ? [] : ['', `${report.torn} samples cannot be read`];
  return { lines: [...metricsLines(report), ...torn], proposals: await proposals(town) };
}
