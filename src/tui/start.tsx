/** Starts the control pane on a terminal, and gives the terminal back on every way out. */
import type { TownActions, TownFeed } from '../domain/view.ts';
import { createPane } from './pane.ts';
import { createSpeechPresenter } from './speech/speech-presenter.ts';
import { watchEndings } from './terminal/endings.ts';
import { type KeyInput, readKeys } from './terminal/key-source.ts';
import { type Look, readLook } from './terminal/look.ts';
import type { Presenter } from './terminal/presenter.ts';
import { type Output, readSize } from './terminal/screen.ts';

export interface ControlPaneOptions {
  feed: TownFeed;
  actions: TownActions;
  env: NodeJS.ProcessEnv;
  stdin: KeyInput;
  stdout: Output & {
    on(event: string, listener: () => void): unknown;
    off(event: string, listener: () => void): unknown;
  };
  /** Called once, after the terminal is restored: close feeds and connections here. */
  onExit?: (exitCode: number) => Promise<void> | void;
  /** Aborting ends the pane with exit code 0. */
  signal?: AbortSignal;
}

/**
 * Runs until the town is brought down from here, the terminal goes away or `signal` aborts (0), or the process is told
 * to end (128 + the signal's number). `q` calls `actions.detach` and the pane goes on. Rejects on a bug alone.
 */
export async function startControlPane(options: ControlPaneOptions): Promise<number> {
  const { feed, actions, env, stdin, stdout, onExit, signal } = options;
  const look = readLook(env);
  const presenter = await createPresenter(look, stdout);
  const closers: (() => void)[] = [presenter.restore, presenter.close];
  let exitCode = 0;
  try {
    exitCode = await new Promise<number>((end, fail) => {
      const quit = (): void => end(0);
      let size = readSize(stdout);
      const drawAgain = (): void => {
        presenter.forget();
        pane.resized();
      };
      const resized = (): void => {
        const next = readSize(stdout);
        const isSame = next.columns === size.columns && next.rows === size.rows;
        size = next;
        if (!isSame) drawAgain();
      };
      const resumed = (): void => {
        presenter.enter();
        drawAgain();
      };
      closers.push(watchEndings(presenter.restore, end, resumed));
      presenter.failed.catch(fail);
      presenter.enter();
      const pane = createPane({
        feed,
        actions,
        look,
        size: () => readSize(stdout),
        now: Date.now,
        show: presenter.show,
        onDown: quit,
      });
      closers.push(pane.close, readKeys(stdin, pane.press, quit));
      stdout.on('resize', resized);
      stdout.on('error', quit);
      closers.push(() => stdout.off('resize', resized));
      if (signal?.aborted === true) quit();
      signal?.addEventListener('abort', quit);
    });
  } finally {
    for (const close of closers) close();
    await onExit?.(exitCode);
  }
  return exitCode;
}

/** Begins to load what draws, while the caller still opens the town: the first frame comes sooner. */
export function preloadControlPane(env: NodeJS.ProcessEnv): void {
  // A failure shows where the pane is started.
  if (readLook(env).mode === 'screen') import('./terminal/screen-presenter.ts').catch(() => undefined);
}

/** Ink is loaded only where it draws. */
async function createPresenter(look: Look, output: Output): Promise<Presenter> {
  if (look.mode === 'lines') return createSpeechPresenter(output);
  const { createScreenPresenter } = await import('./terminal/screen-presenter.ts');
  return createScreenPresenter(output);
}
