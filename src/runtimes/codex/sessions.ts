/** Where Codex keeps its conversations: `sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`, the folder in its first line. */
import { open, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

const named = /rollout-.*-(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/** Whether there is a conversation of that id. */
export async function findCodexSession(sessionId: string, env: Env): Promise<'yes' | 'no' | 'unknown'> {
  const files = await rollouts(env);
  if (files === null) return 'unknown';
  return files.some((path) => named.exec(path)?.groups?.['id'] === sessionId) ? 'yes' : 'no';
}

const knownFiles = new Map<string, string>();

/** The file of that conversation, which never moves once it is there; null where there is none. */
export async function codexSessionFile(sessionId: string, env: Env): Promise<string | null> {
  const known = knownFiles.get(sessionId);
  if (known !== undefined) return known;
  const path = (await rollouts(env))?.find((each) => named.exec(each)?.groups?.['id'] === sessionId) ?? null;
  if (path !== null) knownFiles.set(sessionId, path);
  return path;
}

/** The id of the newest conversation in `cwd` that was written to since `sinceMs`; the newest fifty are looked at. */
export async function latestCodexSession(cwd: string, sinceMs: number, env: Env): Promise<string | null> {
  const files = (await rollouts(env)) ?? [];
  for (const path of files.sort().reverse().slice(0, 50)) {
    try {
      if ((await stat(path)).mtimeMs < sinceMs) continue;
      if ((await folderOf(path)) === cwd) return named.exec(path)?.groups?.['id'] ?? null;
    } catch {
      // A file that goes away or cannot be read is not the one.
    }
  }
  return null;
}

async function rollouts(env: Env): Promise<string[] | null> {
  const root = join(env['CODEX_HOME'] || join(env['HOME'] || homedir(), '.codex'), 'sessions');
  try {
    return (await readdir(root, { recursive: true }))
      .filter((name) => named.test(name))
      .map((name) => join(root, name));
  } catch {
    return null;
  }
}

/** `cwd` of the first line; the line itself goes on with long instructions, so only its beginning is read. */
async function folderOf(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const quoted = /"cwd":("(?:[^"\\]|\\.)*")/.exec(buffer.toString('utf8', 0, bytesRead))?.[1];
    return quoted === undefined ? null : String(JSON.parse(quoted));
  } finally {
    await file.close();
  }
}
