/** The todos of exactly one Claude session, from its own files. Another session's are never counted (seed 004, isolation). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asObject, textAt } from '../../domain/event.ts';
import { isId } from '../../domain/ids.ts';
import { checkedBy, number, objectOf, orNull, text } from '../../domain/shape.ts';
import { listNames } from '../../store/atomic-write.ts';
import type { Env } from '../context.ts';

export interface TodoCount {
  pending: number;
  in_progress: number;
  completed: number;
  /** The first that is not completed. */
  next: string | null;
}

export const todoCount = checkedBy<TodoCount>(
  objectOf({ pending: number, in_progress: number, completed: number, next: orNull(text) }),
);

/** Null where the session has none on file. */
export function todosOf(env: Env, sessionId: string): TodoCount | null {
  const home = env['CLAUDE_CONFIG_DIR'] || (env['HOME'] && join(env['HOME'], '.claude'));
  if (!home || !isId('session', sessionId)) return null;
  const lists = namesIn(join(home, 'todos'))
    .filter((name) => name === `${sessionId}.json` || name === `${sessionId}-agent-${sessionId}.json`)
    .flatMap((name) => readJson(join(home, 'todos', name)));
  const tasks = namesIn(join(home, 'tasks', sessionId))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readJson(join(home, 'tasks', sessionId, name)));
  const todos = [...lists.flat(), ...tasks].flatMap((value) => {
    const todo = asObject(value);
    const status = todo && textAt(todo, 'status');
    return todo && status ? [{ status, next: textAt(todo, 'content') ?? textAt(todo, 'subject') }] : [];
  });
  if (todos.length === 0) return null;
  const count = (status: string): number => todos.filter((todo) => todo.status === status).length;
  const open = todos.find(({ status }) => status === 'in_progress') ?? todos.find(({ status }) => status === 'pending');
  return {
    pending: count('pending'),
    in_progress: count('in_progress'),
    completed: count('completed'),
    next: open?.next ?? null,
  };
}

function readJson(path: string): unknown[] {
  try {
    return [JSON.parse(readFileSync(path, 'utf8'))];
  } catch {
    return [];
  }
}

function namesIn(folder: string): string[] {
  try {
    return listNames(folder);
  } catch {
    return [];
  }
}
