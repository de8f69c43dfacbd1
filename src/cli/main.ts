#!/usr/bin/env node
/**
 * `gastown` for people and, with `--as-agent` first, `gt` for agents: the same program, two tables of commands. CommonJS
 * once built: Node's loader of ES modules costs what is called over and over a tenth of its time.
 */
import { join } from 'node:path';
import { isQuick } from './quick-words.ts';
import { runQuick } from './run-quick.ts';

const argv = process.argv.slice(2);
if (isQuick(argv)) runQuick(join(__dirname, 'quick.cjs'));
else void import('./run.ts').then(({ runProcess }) => runProcess(argv));
