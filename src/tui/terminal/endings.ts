/** Every way a terminal program ends, but SIGKILL: the terminal is given back on all of them (field report 51). */

const endingSignals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;
const signalNumbers: Record<(typeof endingSignals)[number], number> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGTERM: 15,
};

/**
 * `restore` must be synchronous and safe to call twice. A signal asks for an orderly end with 128 + its number; an
 * exception restores first and then goes its usual way (message and exit code are Node's own).
 */
export function watchEndings(
  restore: () => void,
  onSignal: (exitCode: number) => void,
  onContinue: () => void,
): () => void {
  const handlers = endingSignals.map((signal) => {
    const handle = (): void => {
      restore();
      onSignal(128 + signalNumbers[signal]);
    };
    process.on(signal, handle);
    return () => process.off(signal, handle);
  });
  process.on('exit', restore);
  process.on('uncaughtExceptionMonitor', restore);
  process.on('SIGCONT', onContinue);
  return () => {
    for (const remove of handlers) remove();
    process.off('exit', restore);
    process.off('uncaughtExceptionMonitor', restore);
    process.off('SIGCONT', onContinue);
  };
}
