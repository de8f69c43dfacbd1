/** `metrics/samples.jsonl`: one line a sample, appended; torn and foreign lines are skipped and counted. */
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText, unreadable } from '../../domain/errors.ts';
import { toLine } from '../../domain/json.ts';
import { type Sample, sampleSchema, windowMs } from '../../domain/metrics.ts';
import { parseTime } from '../../domain/time.ts';
import type { Town } from '../context.ts';

/** At this size the file becomes `samples.1.jsonl`, replacing the one before it. */
const limitBytes = 4_194_304;

type Place = Pick<Town, 'store'>;

/** The deacon is the only writer, so a plain append is whole or torn, never mixed. */
export function appendSample({ store }: Place, sample: Sample): void {
  const path = store.paths.samples;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > limitBytes) renameSync(path, rotated(path));
  appendFileSync(path, `${toLine(sample)}\n`, { mode: 0o600 });
}

export interface Samples {
  samples: Sample[];
  torn: number;
}

/** Oldest first; none older than the metrics' window before `now` (ms), and none from the future. */
export function readSamples({ store }: Place, now: number): Samples {
  const lines = [rotated(store.paths.samples), store.paths.samples].flatMap(linesOf);
  const samples: Sample[] = [];
  let torn = 0;
  for (const line of lines) {
    const sample = parse(line);
    if (sample === null) torn += 1;
    else if (isWithin(parseTime(sample.at), now)) samples.push(sample);
  }
  return { samples, torn };
}

const rotated = (path: string): string => path.replace(/\.jsonl$/, '.1.jsonl');

const isWithin = (at: number | null, now: number): boolean => at !== null && at > now - windowMs && at <= now + 60_000;

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unreadable(`cannot read ${path}: ${errorText(error)}`, 'check its permissions', error);
  }
}

function parse(line: string): Sample | null {
  try {
    const result = sampleSchema.safeParse(JSON.parse(line));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
