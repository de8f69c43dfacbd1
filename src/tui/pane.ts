/**
 * The heart of the control pane: holds view and state, turns keys into effects, and decides when to draw. Keys are
 * drawn at once; changes of the town at most 20 times a second; ages when one of them reads differently.
 */

import { errorText } from '../domain/errors.ts';
import { fieldOpensAt } from '../domain/handoff-reader.ts';
import type { TownActions, TownFeed, TownView } from '../domain/view.ts';
import { performEffect } from './perform.ts';
import type { Step } from './state/context.ts';
import { filterAgents } from './state/filter.ts';
import { finishAction, followSelection, showMail, showMeasures, showPeek, startAction } from './state/happenings.ts';
import { sortAgents } from './state/order.ts';
import { pressKey } from './state/press-key.ts';
import { answerReader, fitReader, takeHandoff, treeOf } from './state/reader.ts';
import { initialUiState, type UiState } from './state/ui-state.ts';
import type { Key } from './terminal/keys.ts';
import type { Look } from './terminal/look.ts';
import type { Size } from './terminal/screen.ts';
import { createAges } from './view-model/ages.ts';
import type { Drawing } from './view-model/drawing.ts';
import { buildFrame, type Frame } from './view-model/frame.ts';

export interface PaneOptions {
  feed: TownFeed;
  actions: TownActions;
  look: Look;
  size(): Size;
  now(): number;
  show(frame: Frame, drawing: Drawing): void;
  /** The town is down by this pane's own action. */
  onDown(): void;
}

export interface Pane {
  press(keys: readonly Key[]): void;
  resized(): void;
  close(): void;
}

const townDrawMs = 50;
const peekMs = 220;

export function createPane({ feed, actions, look, size, now, show, onDown }: PaneOptions): Pane {
  let view = feed.current();
  let ui: UiState = initialUiState;
  let rows = rowsOf(view, ui);
  let tops: Readonly<Record<string, number>> = {};
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawCostMs = 0;
  let drawTimer: NodeJS.Timeout | null = null;
  let ageTimer: NodeJS.Timeout | null = null;
  let peekTimer: NodeJS.Timeout | null = null;
  let isClosed = false;
  const seen = new WeakMap<object, number>();

  const noteSeen = (): void => {
    const at = now();
    for (const each of [...view.agents, view.handoffs]) if (!seen.has(each)) seen.set(each, at);
  };

  const draw = (): void => {
    if (isClosed) return;
    if (drawTimer !== null) clearTimeout(drawTimer);
    drawTimer = null;
    const { columns, rows: height } = size();
    const at = now();
    drawnAt = at;
    ui = fitReader(ui, { columns, rows: height }, at);
    const ages = createAges(at);
    const drawing: Drawing = { view, ui, rows, look, width: columns, ages, seenAt: (each) => seen.get(each) ?? at };
    const frame = buildFrame(drawing, height, tops);
    tops = frame.tops;
    // A text screen scrolls by its first line: beyond the last page the cursor is brought back.
    const top = tops[ui.screen];
    if (isTextScreen(ui.screen) && top !== undefined && top !== (ui.cursors[ui.screen] ?? 0)) {
      ui = { ...ui, cursors: { ...ui.cursors, [ui.screen]: top } };
    }
    const began = performance.now();
    show(frame, drawing);
    drawCostMs = performance.now() - began;
    if (ageTimer !== null) clearTimeout(ageTimer);
    const fieldAt = ui.reader === null ? null : fieldOpensAt(ui.reader.machine);
    const nextAt = fieldAt !== null && fieldAt > at ? Math.min(fieldAt, ages.nextChangeAt()) : ages.nextChangeAt();
    ageTimer = Number.isFinite(nextAt) ? setTimeout(draw, Math.min(2 ** 30, Math.max(1, nextAt - at))) : null;
  };

  /** Draws soon: at once when nothing was drawn for a while, else when the time is up. */
  const drawSoon = (): void => {
    // On a slow machine drawing may take half of the time at most: keys come first.
    const wait = drawnAt + Math.max(townDrawMs, 2 * drawCostMs) - now();
    if (wait <= 0) draw();
    else drawTimer ??= setTimeout(draw, wait);
  };

  const update = (next: UiState): void => {
    if (next === ui) return;
    const before = ui;
    ui = next;
    if (before.order !== ui.order || before.filter !== ui.filter || before.marks !== ui.marks) reorder();
    if (ui.peeking && (!before.peeking || before.selected !== ui.selected)) peekNow();
  };

  const reorder = (): void => {
    const before = rows;
    rows = rowsOf(view, ui);
    const followed = followSelection(ui, before, rows);
    if (followed !== ui) update(followed);
  };

  const take = (step: Step): void => {
    update(step.ui);
    for (const effect of step.effects) {
      void performEffect(effect, actions, {
        started(agentId, action) {
          update(startAction(ui, agentId, action));
          drawSoon();
        },
        finished(agentId, action, result, bead) {
          update(finishAction(ui, agentId, { action, result, at: now(), bead }));
          drawSoon();
        },
        measures(measures) {
          update(showMeasures(ui, measures));
          drawSoon();
        },
        mail(mail) {
          update(showMail(ui, mail));
          drawSoon();
        },
        handoff(tree, shown) {
          take(takeHandoff(ui, tree, shown, size(), now()));
          drawSoon();
        },
        handoffAnswer(tree, event) {
          take(answerReader(ui, tree, event, now()));
          drawSoon();
        },
        downed: onDown,
      });
    }
  };

  /** One read of the pane at a time; the next a while after the last has come. */
  const peekNow = (): void => {
    if (peekTimer !== null) clearTimeout(peekTimer);
    peekTimer = null;
    const agent = ui.selected;
    if (!ui.peeking || agent === null || isClosed) return;
    const read = ui.screen === 'agents' ? actions.peek(agent, size().rows) : Promise.resolve(null);
    void read
      .then((lines) => (lines === null ? ui : showPeek(ui, agent, lines, null)))
      .catch((error: unknown) => showPeek(ui, agent, [], errorText(error)))
      .then((next) => {
        if (next !== ui && ui.selected === agent) {
          update({ ...ui, peeked: next.peeked });
          drawSoon();
        }
        if (ui.selected === agent && peekTimer === null) peekTimer = setTimeout(peekNow, peekMs);
      });
  };

  noteSeen();
  reorder();
  const unsubscribe = feed.subscribe((next) => {
    if (next === view) return;
    const isHandoffNews = next.handoffs !== view.handoffs;
    view = next;
    if (isHandoffNews && ui.reader !== null) {
      take({ ui, effects: [{ kind: 'read-handoff', tree: treeOf(ui.reader) }] });
    }
    noteSeen();
    reorder();
    drawSoon();
  });
  draw();

  return {
    press(keys) {
      for (const key of keys) take(pressKey({ view, ui, rows }, key, now()));
      if (keys.length > 0) draw();
    },
    resized: draw,
    close() {
      isClosed = true;
      unsubscribe();
      for (const timer of [drawTimer, ageTimer, peekTimer]) if (timer !== null) clearTimeout(timer);
    },
  };
}

const isTextScreen = (screen: UiState['screen']): boolean => ['metrics', 'help'].includes(screen);

const rowsOf = (view: TownView, ui: UiState): TownView['agents'] =>
  sortAgents(filterAgents(view.agents, ui.filter, ui.marks), ui.order);
