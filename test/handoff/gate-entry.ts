/** Entry of the Node form under test: what `gastown dissolve` runs, without the rest of the command line. */
import { createInterface } from 'node:readline';
import { runDissolve } from '../../src/cli/commands/dissolve.ts';

const io = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
  env: process.env,
};

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}

if (process.argv[2] === 'serve') {
  const silent = { ...io, out: () => {}, err: () => {} };
  process.stdout.write('ready\n');
  for await (const line of createInterface({ input: process.stdin })) {
    const { args, cwd } = JSON.parse(line) as { args: string[]; cwd: string };
    process.stdout.write(`${await runDissolve(args, { ...silent, cwd })}\n`);
  }
} else {
  process.exitCode = await runDissolve(process.argv.slice(2), { ...io, cwd: workingDirectory() });
}
