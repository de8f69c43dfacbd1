/**
 * Shapes of records checked by hand, for programs that start on every event: building a schema costs them more than all
 * the rest of their work. Each stands for a schema of the same name, and accepts exactly what that one accepts.
 */
import { parseTime } from './time.ts';

/** Null when `value` fits, else where it does not and why: `note: not text`. */
export type Shape = (value: unknown) => string | null;

const kind =
  (name: string): Shape =>
  (value) =>
    typeof value === name ? null : `not a ${name}`;

export const text = kind('string');
export const flag = kind('boolean');
export const number: Shape = (value) => (Number.isFinite(value) ? null : 'not a number');
export const time: Shape = (value) => (parseTime(value) === null ? 'not an ISO 8601 time with a zone' : null);

export const oneOf =
  (words: readonly string[]): Shape =>
  (value) =>
    typeof value === 'string' && words.includes(value) ? null : `not one of ${words.join(', ')}`;

export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? null : shape(value);

export const orAbsent =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined ? null : shape(value);

export const listOf =
  (shape: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value)) return 'not a list';
    for (const [index, item] of value.entries()) {
      const fault = shape(item);
      if (fault !== null) return `${index}: ${fault}`;
    }
    return null;
  };

/** An object with these keys and any others. `also`: a rule about the whole of it. */
export const objectOf =
  (
    keys: Readonly<Record<string, Shape>>,
    also: (value: Readonly<Record<string, unknown>>) => string | null = () => null,
  ): Shape =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not an object';
    const record = value as Readonly<Record<string, unknown>>;
    for (const [key, shape] of Object.entries(keys)) {
      const fault = shape(record[key]);
      if (fault !== null) return `${key}: ${fault}`;
    }
    return also(record);
  };

/** What the store asks of whatever checks a record: a schema of zod is one, too. */
export interface Checked<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } };
}

interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

/** `T` is the type of the schema that the shape stands for; `test/domain/shape.test.ts` holds the two together. */
export const checkedBy = <T>(shape: Shape): Checked<T> => ({
  safeParse: (value) => {
    const fault = shape(value);
    return fault === null
      ? { success: true, data: value as T }
      : { success: false, error: { issues: [{ path: [], message: fault }] } };
  },
});
