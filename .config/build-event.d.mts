export function buildEvent(outdir: string): Promise<unknown>;
