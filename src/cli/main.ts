#!/usr/bin/env node
/**
 * `gastown` for people and, with `--as-agent` first, `gt` for agents: the same program, two tables of commands. CommonJS
 * once built: Node's loader of ES modules costs what is called over and over a tenth of its time.
 */
import { join } from 'node:path';
import { askStatus } from '../town/deacon/ask-status.ts';
import { isQuick, isStatus } from './quick-words.ts';
import { runQuick } from './run-quick.ts';
import { workingDirectory, writeNow } from './write-now.ts';

async function main(argv: readonly string[]): Promise<void> {
  if (!isQuick(argv)) return import('./run.ts').then(({ runProcess }) => runProcess(argv));
  const told = isStatus(argv) ? await toldByDeacon() : null;
  if (told === null) runQuick(join(__dirname, 'quick.cjs'));
  else writeNow(1, told);
}

/** Null also where asking itself is what fails: the command then says what is wrong. */
async function toldByDeacon(): Promise<string | null> {
  try {
    return await askStatus({ cwd: workingDirectory(), env: process.env, program: __filename });
  } catch {
    return null;
  }
}

void main(process.argv.slice(2));
