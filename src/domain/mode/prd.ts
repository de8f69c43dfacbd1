/** `prd.json` at the root of the agent's tree: ralph's stories. The agent writes it; here it is only read. */
import * as z from 'zod/mini';
import type { Stories } from './mode.ts';

const storySchema = z.looseObject({
  id: z.string(),
  title: z.string(),
  acceptanceCriteria: z.optional(z.array(z.string())),
  /** 1 comes first. */
  priority: z.optional(z.number()),
  passes: z.boolean(),
});
const prdSchema = z.looseObject({ userStories: z.array(storySchema).check(z.minLength(1)) });

/** Null for a file that is not there. The next story is the one with the lowest priority number that does not pass. */
export function readStories(text: string | null): Stories {
  if (text === null) return { kind: 'absent' };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'broken', why: 'not JSON' };
  }
  const read = z.safeParse(prdSchema, json);
  if (!read.success) {
    const issue = read.error.issues[0];
    return { kind: 'broken', why: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong shape'}` };
  }
  const stories = read.data.userStories;
  const open = stories.filter(({ passes }) => !passes);
  const [next] = [...open].sort((a, b) => rank(a.priority) - rank(b.priority));
  return {
    kind: 'ok',
    total: stories.length,
    done: stories.length - open.length,
    next: next ? { id: next.id, title: next.title, criteria: next.acceptanceCriteria ?? [] } : null,
  };
}

const rank = (priority: number | undefined): number => priority ?? Number.MAX_SAFE_INTEGER;
