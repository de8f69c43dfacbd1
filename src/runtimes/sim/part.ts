/** A simulated agent's part of an ultrapilot: it writes where it may, asks before each file, and commits in its own tree. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseJson } from './parse-json.ts';
import type { TownCommand } from './town-command.ts';

export interface PartPlace {
  gt: TownCommand;
  cwd: string;
  print(line: string): void;
}

export const isPart = (title: string): boolean => title.startsWith('ultrapilot: ');

/** A file in each of its sets; of the task's own words, `write PATH` is tried too, and a refusal is shown. */
export async function writePart({ gt, cwd, print }: PartPlace, beadId: string, title: string): Promise<void> {
  const own = parseJson((await gt.run('ultrapilot', '--json')).text) as { files?: unknown } | null;
  const sets = Array.isArray(own?.files) ? own.files.map(String) : [];
  const wanted = [...title.matchAll(/\bwrite (\S+)/g)].map(([, path]) => path ?? '');
  for (const file of [...sets.map((set) => set.replace(/\*\*$/, `${beadId}.md`)), ...wanted]) {
    const may = await gt.run('ultrapilot', 'may', join(cwd, file));
    if (may.code !== 0) {
      print(may.text);
      continue;
    }
    await mkdir(dirname(join(cwd, file)), { recursive: true });
    await writeFile(join(cwd, file), `# ${title}\n\nDone by a simulated agent.\n`);
  }
  await git(cwd, 'add', '--all');
  const committed = await git(cwd, 'commit', '--quiet', '-m', title);
  print(committed === null ? 'Committed.' : `Cannot commit: ${committed}`);
}

/** Null when it went well, else git's words. */
const git = (cwd: string, ...words: string[]): Promise<string | null> =>
  new Promise((resolve) => {
    const who = ['-c', 'user.name=sim', '-c', 'user.email=sim@localhost'];
    execFile('git', [...who, ...words], { cwd, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve(error === null ? null : (stderr || stdout || error.message).trim()),
    );
  });
