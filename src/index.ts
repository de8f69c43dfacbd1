/** The library's face: open a town and read or change it as the programs do. */
import type { Strategy } from './domain/runtime.ts';
import { guppStrategyOf } from './domain/strategy.ts';
import { detectRuntime } from './runtimes/detect.ts';

export type { Bead, BeadStatus, Priority } from './domain/bead.ts';
export type { AgentConfig, Config, Role } from './domain/config.ts';
export type { Receipt } from './domain/delivery.ts';
export { GastownError } from './domain/errors.ts';
export type { Hook, HookStatus } from './domain/hook.ts';
export type { Strategy } from './domain/runtime.ts';
export type { AgentState, AgentStatus, TownStatus } from './domain/status.ts';
export type { DetectedRuntime, Provider } from './domain/strategy.ts';
export { addBead, listBeads, type NewBead } from './town/beads.ts';
export { clearHook } from './town/claim.ts';
export { type Opening, openTown, type Town } from './town/context.ts';
export { down } from './town/down.ts';
export { nudge } from './town/nudge.ts';
export { type Slung, sling } from './town/sling.ts';
export { restartAgent, startAgent, stopAgent } from './town/start.ts';
export { readStatus } from './town/status.ts';
export { up } from './town/up.ts';
export { detectRuntime };

/** GUPP's way to make a runtime begin (seed 001): of the named runtime, or of the one this process runs under. */
export const getGUPPStrategy = (runtime?: string): Strategy =>
  runtime === undefined ? detectRuntime().getGUPPStrategy() : guppStrategyOf(runtime);
