import * as z from 'zod/mini';

export const modeSchema = z.looseObject({ active: z.boolean(), iteration: z.number() });
