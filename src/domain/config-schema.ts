/** The schema of `gastown.yaml` as JSON Schema, for editors: completion, and mistakes underlined as they are made. */
import * as z from 'zod/mini';
import { configSchema } from './config.ts';

/** The text of `layouts/gastown.schema.json`. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input' });
  return `${JSON.stringify({ title: 'gastown.yaml: the agents of a town', ...schema }, null, 2)}\n`;
}
