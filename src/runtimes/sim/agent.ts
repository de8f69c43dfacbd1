/** The simulated agent itself: primed by a typed line, it runs the bead on its hook step by step, and obeys its orders. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SimOrder } from '../../domain/sim.ts';
import { isPart, writePart } from './part.ts';
import { simWords } from './screen.ts';
import { workThroughTasks } from './tasks.ts';
import type { Terminal } from './terminal.ts';
import type { HookedWork, TownCommand } from './town-command.ts';

export interface SimAgent {
  /** A line was submitted in the composer. */
  told(text: string): void;
  /** The operator pressed Escape: the turn ends, the hook stays. */
  interrupted(): void;
  ordered(order: SimOrder): void;
  /** The hook file changed: a simulated agent polls it when nothing was typed. */
  hookChanged(): void;
}

export interface SimPace {
  /** Milliseconds for one bead. */
  workMs: number;
  /** Milliseconds between two `gt touch`. */
  touchMs: number;
  /** Milliseconds it waits for a typed line before it looks at a changed hook by itself. */
  pollMs: number;
  /** Factor for the times of orders. */
  scale: number;
}

/** Why work stands still. */
type Halt = 'stall' | 'ask' | 'limit' | 'dialog' | 'interrupt';

const steps = ['reading the code', 'writing the change', 'running the checks', 'tidying up'] as const;

export function simAgent(
  terminal: Terminal,
  gt: TownCommand,
  cwd: string,
  pace: SimPace,
  leave: (code: number) => void,
): SimAgent {
  const halts = new Set<Halt>();
  let working: string | null = null;
  let stallLines: number | null = null;
  let changed = false;
  let wake = (): void => {};
  let polling: NodeJS.Timeout | undefined;

  const show = (): void => {
    const busy = working !== null && halts.size === 0;
    terminal.status(busy ? `${simWords.busy} · ${working}` : simWords.ready);
    terminal.title(busy ? `sim: working ${working}` : 'sim: ready');
  };
  const halt = (why: Halt): void => {
    halts.add(why);
    show();
  };
  const release = (why: Halt): void => {
    if (!halts.delete(why)) return;
    show();
    wake();
  };
  /** Sleeps, and then for as long as anything halts the work. */
  const pause = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    while (halts.size > 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  const look = async (): Promise<void> => {
    if (working !== null) return;
    working = 'looking at the hook';
    show();
    await pause(0);
    const work = await gt.hook();
    if (work === null) terminal.print('Nothing on my hook. Waiting.');
    else await run(work);
    working = null;
    show();
    if (changed) poll();
  };

  const swarm = async (): Promise<void> => {
    if (working !== null) return;
    working = 'looking for a task';
    show();
    const at = (task: string): void => {
      working = task;
      show();
    };
    await workThroughTasks({ gt, cwd, workMs: pace.workMs, pause, print: terminal.print, at });
    working = null;
    show();
    if (changed) poll();
  };

  const poll = (): void => {
    changed = false;
    clearTimeout(polling);
    polling = setTimeout(() => void look(), pace.pollMs);
  };

  const run = async (work: HookedWork): Promise<void> => {
    if (work.status === 'pending') {
      const started = await gt.run('hook', 'start');
      if (started.code !== 0) {
        terminal.print(`Cannot begin ${work.bead_id}: ${started.text}`);
        return;
      }
    }
    working = work.bead_id;
    show();
    terminal.print(`I run ${work.bead_id}: ${work.title}`);
    if (!(await stepThrough(work))) return;
    if (isPart(work.title)) await writePart({ gt, cwd, print: terminal.print }, work.bead_id, work.title);
    else await writeFile(join(cwd, `${work.bead_id}.md`), `# ${work.title}\n\nDone by a simulated agent.\n`);
    const done = await gt.run('done');
    terminal.print(done.code === 0 ? `${work.bead_id} is done.` : `Cannot finish ${work.bead_id}: ${done.text}`);
  };

  /** False when the work was taken away meanwhile. */
  const stepThrough = async (work: HookedWork): Promise<boolean> => {
    let sinceTouch = 0;
    const pieceMs = Math.min(pace.touchMs, pace.workMs / steps.length);
    for (const step of steps) {
      terminal.print(`· ${step}`);
      for (let spent = 0; spent < pace.workMs / steps.length; spent += pieceMs) {
        await pause(pieceMs);
        sinceTouch += pieceMs;
        if (sinceTouch < pace.touchMs) continue;
        sinceTouch = 0;
        await gt.run('touch');
      }
    }
    const still = await gt.hook();
    if (still?.bead_id === work.bead_id && still.status === 'active') return true;
    terminal.print(`${work.bead_id} was taken off my hook. I stop.`);
    return false;
  };

  const showDialog = (): void => {
    halt('dialog');
    for (const line of [simWords.permission, '  rm -rf build', '  1. Yes', '  2. No']) terminal.print(line);
    terminal.ask((digit) => {
      if (digit !== '1' && digit !== '2') return;
      terminal.ask(null);
      terminal.print(digit === '1' ? 'Permission given.' : 'Permission refused: I do without.');
      release('dialog');
    });
  };

  /** A limit that was over before this run began halts nobody. */
  const showLimit = (untilMs: number): void => {
    if (untilMs <= Date.now()) return;
    halt('limit');
    terminal.print(`${simWords.limit} · resets ${new Date(untilMs).toISOString()}`);
    setTimeout(() => {
      if (halts.has('limit')) terminal.print('The usage limit is reset.');
      release('limit');
    }, untilMs - Date.now());
  };

  const askHuman = async (question: string): Promise<void> => {
    halt('ask');
    terminal.print(`Question: ${question}`);
    await gt.run('ask', question);
  };

  const recover = (): void => {
    terminal.ask(null);
    terminal.swallow(0);
    stallLines = null;
    if (halts.size > 0) terminal.print('Recovered.');
    for (const why of [...halts]) release(why);
  };

  return {
    told(text) {
      terminal.print(`> ${text}`);
      if (text === '/exit') return leave(0);
      release('interrupt');
      if (halts.has('stall')) {
        if (stallLines !== null) stallLines -= 1;
        if (stallLines === null || stallLines > 0) return;
        stallLines = null;
        release('stall');
      }
      if (halts.has('ask')) {
        terminal.print('Understood.');
        void gt.run('touch');
        release('ask');
      }
      if (/\bgt'? reply\b/.test(text)) void gt.run('reply', working === null ? 'idle' : `working on ${working}`);
      if (/\bgt'? task claim\b/.test(text)) void swarm();
      if (!/\bgt'? prime\b/.test(text)) return;
      clearTimeout(polling);
      void gt.run('prime').then(async (prime) => {
        terminal.print(prime.code === 0 ? 'Primed.' : `gt prime failed: ${prime.text}`);
        await look();
      });
    },
    interrupted() {
      if (working === null || halts.has('interrupt')) return;
      terminal.print('Interrupted.');
      halt('interrupt');
    },
    ordered(order) {
      if (order.behaviour === 'crash') return leave(7);
      if (order.behaviour === 'recover') return recover();
      if (order.behaviour === 'swallow-enter') return terminal.swallow(order.count ?? 1);
      if (order.behaviour === 'stall') {
        stallLines = order.count;
        halt('stall');
      }
      if (order.behaviour === 'dialog') showDialog();
      if (order.behaviour === 'limit') showLimit(Date.parse(order.at) + (order.seconds ?? 0) * 1000 * pace.scale);
      if (order.behaviour === 'ask') void askHuman(order.text ?? '');
    },
    hookChanged() {
      changed = true;
      if (working === null) poll();
    },
  };
}
