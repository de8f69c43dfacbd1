/** The folders of a town whose files the control pane shows: a fixed few, and one for each mailbox and nudge channel. */
import { join } from 'node:path';
import { listNames } from './atomic-write.ts';
import type { StatePaths } from './paths.ts';

/** Absolute paths, whether or not they exist. Worktrees are never among them, nor is anything recursive. */
export function watchedFolders(paths: StatePaths): string[] {
  const each = (folder: string): string[] =>
    namesIn(folder)
      .filter((name) => !name.includes('.'))
      .map((name) => join(folder, name));
  return [
    paths.stateDir,
    paths.hooksDir,
    paths.agentsDir,
    paths.workDir,
    paths.sessionsDir,
    paths.heartbeatDir,
    paths.gatesDir,
    paths.escalationsDir,
    paths.handoffRequestsDir,
    paths.deaconDir,
    paths.ledgersDir,
    paths.agentLedgersDir,
    paths.nudgeDir,
    paths.mailDir,
    ...each(paths.nudgeDir),
    ...each(paths.mailDir),
    paths.modesDir,
    ...each(paths.modesDir),
    paths.handlersDir,
    ...each(paths.handlersDir),
  ];
}

function namesIn(folder: string): string[] {
  try {
    return listNames(folder);
  } catch {
    return [];
  }
}
