/**
 * `handoff install`: the shell form of the gate, for a repository whose people do not run the town. Everything it
 * touches lies in that repository; a file that differs from ours is never replaced unasked.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { conflict, unreadable } from '../../domain/errors.ts';
import { handoffInstructions } from '../../domain/handoff-compose.ts';
import { writeAtomic } from '../../store/atomic-write.ts';
import { type ScriptName, scriptText } from './scripts.ts';

export interface InstallStep {
  /** Below the tree. */
  path: string;
  did: 'written' | 'replaced' | 'unchanged';
}

const scripts: readonly (readonly [path: string, name: ScriptName])[] = [
  ['bin/dissolve_hook.sh', 'dissolve_hook.sh'],
  ['bin/inject_hook.sh', 'inject_hook.sh'],
  ['tests/test_dissolve_hook.sh', 'test_dissolve_hook.sh'],
];

/**
 * Writes scripts, SessionStart entry and instructions; running it again changes nothing. Exit 5 when a script of that
 * name with other content is there and `replace` is false, exit 4 when `.claude/settings.json` cannot be read; nothing
 * is written then. `dryRun` answers the steps alone.
 */
export function installHandoff(
  tree: string,
  { replace, dryRun }: { replace: boolean; dryRun: boolean },
): InstallStep[] {
  const planned = [
    ...scripts.map(([path, name]) => ({ path, text: scriptText(name), mode: 0o755 })),
    { path: '.claude/settings.json', text: withSessionStart(tree), mode: 0o644 },
    ...documentsOf(tree).map((path) => ({ path, text: withInstructions(tree, path), mode: 0o644 })),
  ].map((file) => ({ ...file, before: textOf(join(tree, file.path)) }));

  const foreign = planned.find(({ mode, before, text }) => mode === 0o755 && before !== null && before !== text);
  if (foreign && !replace) {
    throw conflict(`${foreign.path} is there already and is not ours, or older`, 'look at it, then give --replace');
  }
  return planned.map(({ path, text, mode, before }) => {
    if (before === text) return { path, did: 'unchanged' };
    if (!dryRun) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeAtomic(join(tree, path), text);
      chmodSync(join(tree, path), before === null || mode === 0o755 ? mode : 0o644);
    }
    return { path, did: before === null ? 'written' : 'replaced' };
  });
}

const sessionStartCommand = 'sh "$CLAUDE_PROJECT_DIR/bin/inject_hook.sh"';

function withSessionStart(tree: string): string {
  const path = join(tree, '.claude/settings.json');
  const text = textOf(path);
  if (text?.includes('inject_hook.sh')) return text;
  const settings = text === null ? {} : objectOf(text, path);
  const hooks = settings['hooks'] ?? {};
  const starts = isObject(hooks) ? (hooks['SessionStart'] ?? []) : null;
  if (!isObject(hooks) || !Array.isArray(starts)) {
    throw unreadable(`${path} has hooks of an unknown shape`, 'mend it by hand; nothing was written');
  }
  const entry = { hooks: [{ type: 'command', command: sessionStartCommand }] };
  const merged = { ...settings, hooks: { ...hooks, SessionStart: [...starts, entry] } };
  return `${JSON.stringify(merged, null, 2)}\n`;
}

function objectOf(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw unreadable(`${path} is not valid JSON`, 'mend it by hand; nothing was written', error);
  }
  throw unreadable(`${path} is not a JSON object`, 'mend it by hand; nothing was written');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** AGENTS.md always; CLAUDE.md where the project has one of its own. */
const documentsOf = (tree: string): string[] =>
  lstatSync(join(tree, 'CLAUDE.md'), { throwIfNoEntry: false })?.isFile() === true
    ? ['AGENTS.md', 'CLAUDE.md']
    : ['AGENTS.md'];

const begin = '<!-- handoff instructions: begin -->';
const end = '<!-- handoff instructions: end -->';

function withInstructions(tree: string, path: string): string {
  const block = `${begin}\n${handoffInstructions('bin/dissolve_hook.sh')}${end}\n`;
  const text = textOf(join(tree, path)) ?? '';
  const [from, to] = [text.indexOf(begin), text.indexOf(`${end}\n`)];
  if (from >= 0 && to > from) return text.slice(0, from) + block + text.slice(to + end.length + 1);
  return text === '' ? block : `${text.trimEnd()}\n\n${block}`;
}

function textOf(path: string): string | null {
  if (!existsSync(path)) return null;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(`${path} cannot be read`, 'check its permissions; nothing was written', error);
  }
}
