/** The execution modes, in the order in which they may continue a session: the first that applies is the only one heard. */
export const modeNames = ['ralph', 'autopilot', 'ultrapilot', 'swarm', 'pipeline', 'ultraqa', 'ultrawork'] as const;
export type ModeName = (typeof modeNames)[number];

/** At most one of these runs in a session; ralph and ultraqa exclude each other besides (seed 004). */
export const exclusiveModes: readonly ModeName[] = ['autopilot', 'ultrapilot', 'swarm', 'pipeline'];

/** Continuations a mode may cause, unless its start names another number. Nothing ever passes `hardMaximum`. */
export const budgetOf: Readonly<Record<ModeName, number>> = {
  ralph: 100,
  autopilot: 40,
  ultrapilot: 20,
  swarm: 100,
  pipeline: 30,
  ultraqa: 10,
  ultrawork: 50,
};

export const hardMaximum = 500;

export const isMode = (word: unknown): word is ModeName => modeNames.some((mode) => mode === word);

/** The active modes that keep `mode` from starting; empty when it may. A mode never runs twice in a session. */
export function excludedBy(mode: ModeName, active: readonly ModeName[]): ModeName[] {
  return active.filter(
    (other) =>
      other === mode ||
      (exclusiveModes.includes(mode) && exclusiveModes.includes(other)) ||
      (mode === 'ralph' && other === 'ultraqa') ||
      (mode === 'ultraqa' && other === 'ralph'),
  );
}
