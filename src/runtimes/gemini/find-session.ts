/** Where Gemini CLI keeps its conversations: one file each, named by the time and the first eight of its id. */
import { open, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Only the beginning is looked at; a conversation's first answer stands there, behind the context of the folder. */
const lookBytes = 262_144;

/** A session nothing was answered in has a file, too, but cannot be resumed. */
export async function findGeminiSession(
  sessionId: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<'yes' | 'no' | 'unknown'> {
  const root = join(env['HOME'] || homedir(), '.gemini', 'tmp');
  try {
    for (const project of await readdir(root)) {
      const chats = join(root, project, 'chats');
      const names = await readdir(chats).catch((): string[] => []);
      for (const name of names.filter((one) => one.endsWith(`-${sessionId.slice(0, 8)}.jsonl`))) {
        const text = await beginning(join(chats, name));
        if (text.includes(`"sessionId":"${sessionId}"`)) return text.includes('"type":"gemini"') ? 'yes' : 'no';
      }
    }
    return 'no';
  } catch {
    return 'unknown';
  }
}

async function beginning(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(lookBytes), 0, lookBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
