/** What an agent is for (DESIGN section 2). */
export const roles = ['mayor', 'witness', 'refinery', 'polecat', 'crew'] as const;
export type Role = (typeof roles)[number];
