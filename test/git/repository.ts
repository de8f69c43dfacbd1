/** Scratch repositories with a remote of their own; the user's git configuration is out of the picture. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';

process.env['GIT_CONFIG_GLOBAL'] = '/dev/null';
process.env['HOME'] = '/nonexistent';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-git-`)));
  folders.push(folder);
  return folder;
}

const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always'];

/** Runs git for the test itself and answers its stdout. */
export const run = (cwd: string, ...args: string[]): string =>
  execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

export function commit(cwd: string, file: string, text = file): string {
  writeFileSync(join(cwd, file), text);
  run(cwd, 'add', '--', file);
  run(cwd, 'commit', '-qm', `add ${file}`);
  return run(cwd, 'rev-parse', 'HEAD');
}

let template: string | null = null;
afterAll(() => {
  if (template !== null) rmSync(template, { recursive: true, force: true });
});

/** A repository `town` with one commit on `main`, pushed to `remote.git` beside it. Copied: git is slow to start. */
export function repository(): string {
  template ??= makeTemplate();
  const folder = scratch();
  cpSync(template, folder, { recursive: true });
  const config = join(folder, 'town', '.git', 'config');
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll(template, folder));
  return join(folder, 'town');
}

function makeTemplate(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-git-`)));
  run(folder, 'init', '-q', '--bare', 'remote.git');
  run(folder, 'init', '-q', '-b', 'main', 'town');
  const town = join(folder, 'town');
  writeFileSync(join(town, '.gitignore'), '.chipset/\n.env\nnode_modules/\n*.log\n');
  run(town, 'add', '.gitignore');
  commit(town, 'readme');
  run(town, 'remote', 'add', 'origin', join(folder, 'remote.git'));
  run(town, 'push', '-q', '-u', 'origin', 'main');
  return folder;
}
