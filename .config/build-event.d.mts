export function buildEvent(outdir: string): Promise<string[]>;
