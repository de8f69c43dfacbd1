import { afterEach, describe, expect, it } from 'vitest';
import { allActions } from '../../src/tui/actions.ts';
import { busyView, fakeAgent, hookOf, recordActions } from './support/fake-town.ts';
import { type OpenPane, type OpenPaneOptions, openPane } from './support/open-pane.ts';

const panes: OpenPane[] = [];
const open = (options?: OpenPaneOptions): OpenPane => {
  const pane = openPane(options);
  panes.push(pane);
  return pane;
};
afterEach(() => {
  for (const pane of panes.splice(0)) pane.close();
});

/** Rows of the busy view by attention: bravo (asking), charlie (stalled), delta (done), alpha, echo (idle), crew-me (stopped). */
const row = { bravo: 0, charlie: 1, delta: 2, alpha: 3, echo: 4, crew: 5 } as const;
const goTo = (pane: OpenPane, agent: keyof typeof row): void => pane.press('home', 'j'.repeat(row[agent]));

type Call = [name: string, ...args: unknown[]];
const calls = (pane: OpenPane): Call[] => pane.actions.calls.map(({ name, args }) => [name, ...args]);

/** What each key of the action table does to the town: the keys after moving to an agent, and the calls that come of it. */
const effects: [action: string, agent: keyof typeof row, keys: string[], expected: Call[]][] = [
  ['sling', 'echo', ['s', 'enter', 'enter'], [['sling', 'gt-r3ady', 'polecat-echo']]],
  ['sling', 'bravo', ['s', 'enter', 'enter'], [['sling', 'gt-r3ady', null]]],
  ['sling', 'echo', ['s', 'down', 'enter', 'enter'], [['sling', 'gt-r4ady', 'polecat-echo']]],
  [
    'sling',
    'echo',
    ['s', 'A brand new title', 'enter', 'enter'],
    [
      ['addBead', 'A brand new title'],
      ['sling', 'gt-new01', 'polecat-echo'],
    ],
  ],
  ['clear', 'delta', ['c'], [['clear', 'polecat-delta', null]]],
  ['clear', 'alpha', ['c', 'wrong branch', 'enter'], [['clear', 'polecat-alpha', { reason: 'wrong branch' }]]],
  ['clear', 'alpha', ['c', 'enter', 'escape'], []],
  ['nudge', 'alpha', ['n', 'use port 80', 'enter'], [['nudge', 'polecat-alpha', 'use port 80']]],
  ['nudge', 'alpha', ['n', 'enter'], [['nudge', 'polecat-alpha', 'Look at your hook and go on with the work on it.']]],
  ['nudge', 'alpha', ['n', 'no', 'escape'], []],
  ['restart', 'charlie', ['r', 'y'], [['restart', 'polecat-charlie']]],
  ['restart', 'alpha', ['r', 'n'], []],
  ['restart', 'echo', ['r'], [['restart', 'polecat-echo']]],
  ['focus', 'alpha', ['enter'], [['focus', 'polecat-alpha']]],
  ['interrupt', 'alpha', ['i'], [['interrupt', 'polecat-alpha']]],
  ['stop or start', 'alpha', ['x', 'y'], [['stop', 'polecat-alpha']]],
  ['stop or start', 'alpha', ['x', 'escape'], []],
  ['stop or start', 'crew', ['x'], [['start', 'crew-me']]],
  ['pause or resume', 'alpha', ['z'], [['pause', 'polecat-alpha', 'paused by the operator']]],
  ['mode', 'alpha', ['a', 'ralph all parts', 'enter'], [['startMode', 'polecat-alpha', 'ralph all parts']]],
  ['mode', 'alpha', ['a', 'ralph', 'escape'], []],
  ['emergency stop', 'alpha', ['!', 'y'], [['estop', 'emergency stop by the operator']]],
  ['emergency stop', 'alpha', ['!', 'n'], []],
  ['quit', 'alpha', ['q'], [['detach']]],
  ['down', 'alpha', ['Q', 'y'], [['down']]],
  ['down', 'alpha', ['Q', 'q'], []],
  ['mail', 'alpha', ['m'], [['mail']]],
  ['metrics', 'alpha', ['M'], [['measures']]],
  ['learning', 'alpha', ['L'], [['measures']]],
  // What they do with proposals: measures.test.ts.
  ['accept proposal', 'alpha', ['L', 'a'], [['measures']]],
  ['reject proposal', 'alpha', ['L', 'x'], [['measures']]],
  ['sling bead', 'alpha', ['b', 's', 'enter'], [['sling', 'gt-r3ady', null]]],
  ['reopen bead', 'alpha', ['b', 'end', 'r'], [['reopenBead', 'gt-zz901']]],
  ['close bead', 'alpha', ['b', 'x', 'y'], [['closeBead', 'gt-r3ady']]],
  ['read handoff', 'alpha', ['g', 'enter'], [['readHandoff', '/repo']]],
  ['read handoff', 'alpha', ['g', 'down', 'enter'], [['readHandoff', '/repo']]],
  ['remove wish', 'alpha', ['g', 'down', 'x'], [['settleRequest', 'crew-me', false]]],
  ['remove wish', 'alpha', ['g', 'x'], []],
  ['let it try again', 'alpha', ['g', 'down', 't'], [['settleRequest', 'crew-me', true]]],
  ['allow', 'alpha', ['A', 'y'], [['answerApproval', 'p1', 'allow']]],
  ['deny', 'alpha', ['A', 'n'], [['answerApproval', 'p1', 'deny']]],
  ['acknowledge', 'alpha', [':', 'ackn', 'enter'], [['acknowledge', 'e1']]],
  ['pause town', 'alpha', [':', 'pause town', 'enter'], [['pause', null, 'paused by the operator']]],
  ['resume town', 'alpha', [':', 'resume town', 'enter'], [['resume', null]]],
  ['thaw', 'alpha', [':', 'thaw', 'enter'], [['thaw']]],
  ['reset', 'alpha', [':', 'reset', 'enter'], [['reset', 'polecat-alpha']]],
];

describe('keys of DESIGN section 6', () => {
  it.each(effects)('%s on %s: %j', async (_action, agent, keys, expected) => {
    const pane = open();
    goTo(pane, agent);
    pane.press(...keys);
    await pane.settle();
    expect(calls(pane)).toEqual(expected);
    expect(pane.frame().cursor).toBeNull();
  });

  /** Actions that change only what is seen: the keys, and what the screen then says. */
  const looks: [action: string, keys: string[], expected: RegExp][] = [
    ['down', ['j'], /polecat-charlie ─.*codex/],
    ['up', ['j', 'k'], /polecat-bravo ─/],
    ['page down', ['pagedown'], /crew-me ─/],
    ['page up', ['pagedown', 'pageup'], /polecat-bravo ─/],
    ['bottom', ['end'], /crew-me ─/],
    ['top', ['end', 'home'], /polecat-bravo ─/],
    ['peek', ['p'], /polecat-bravo live/],
    ['mark', ['space'], /▌|1 marked/],
    ['filter', ['/', 'codex', 'enter'], /filter codex: 1 of 6/],
    ['sort', ['o'], /by name/],
    ['beads', ['b'], /Beads ─/],
    ['events', ['e'], /Events, newest first/],
    ['gate', ['g'], /armed for 2h {2}\/repo/],
    ['approvals', ['A'], /npm publish/],
    ['handlers', ['H'], /Gives its notes back/],
    ['palette', [':'], /Do what\?/],
    ['help', ['?'], /Keys ─/],
    ['back', ['?', 'escape'], /AGENT/],
    ['read mail', ['m', 'enter'], /Mail ─/],
  ];

  it.each(looks)('%s: %j', async (_action, keys, expected) => {
    const pane = open();
    pane.press(...keys);
    await pane.settle();
    expect(pane.text()).toMatch(expected);
    expect(calls(pane).filter(([name]) => name !== 'peek' && name !== 'mail')).toEqual([]);
  });

  it('has a test for every action of the table, and no key twice on one screen', () => {
    const tested = new Set([...effects, ...looks].map(([action]) => action));
    expect(allActions.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
    for (const screen of ['agents', 'beads', 'mail', 'events', 'metrics', 'learning', 'gate', 'help'] as const) {
      const keys = allActions
        .filter(({ screens }) => screens === 'all' || screens.includes(screen))
        .flatMap(({ keys }) => keys);
      expect(keys).toEqual([...new Set(keys)]);
    }
  });

  it('answers unknown keys and pastes outside of a prompt with nothing', () => {
    const pane = open();
    const before = pane.text();
    pane.press('y', 'w', 'ä', 'tab', 'left', 'ctrl-x', 'backspace');
    pane.paste('Q\ny\n!y');
    expect(pane.text()).toBe(before);
    expect(pane.actions.calls).toEqual([]);
  });

  it('lists every key in the help', () => {
    const pane = open({ rows: 200, columns: 120 });
    pane.press('?');
    for (const { keys, does } of allActions) {
      expect(pane.text()).toContain(does.slice(0, 30));
      for (const key of keys)
        expect(pane.text()).toContain(key === 'enter' ? '⏎' : key === 'escape' ? 'esc' : key.slice(0, 2));
    }
  });
});

describe('what a key asks and says', () => {
  it('names the object of a destructive key before it does anything', () => {
    const pane = open();
    goTo(pane, 'alpha');
    pane.press('x');
    expect(pane.text()).toContain('Stop polecat-alpha?');
    pane.press('escape', 'r');
    expect(pane.text()).toContain('Restart polecat-alpha?');
    pane.press('escape', 'c');
    expect(pane.text()).toContain('Take gt-abc12 away from polecat-alpha? Why:');
    pane.press('escape', 'Q');
    expect(pane.text()).toMatch(/End the town myrepo\?\n.*5 agents stop, 3 with work in hand/);
    pane.press('escape', '!');
    expect(pane.text()).toContain('Emergency stop of myrepo?');
    expect(pane.actions.calls).toEqual([]);
  });

  it('says why an action cannot be done', () => {
    const pane = open();
    goTo(pane, 'crew');
    pane.press('n');
    expect(pane.text()).toContain('nudge: crew-me is stopped; x starts it');
    pane.press('c');
    expect(pane.text()).toContain('clear: the hook of crew-me is empty');
    pane.press('enter');
    expect(pane.text()).toContain('focus: crew-me has no pane; x starts it');
    pane.press('r');
    expect(pane.text()).toContain('restart: crew-me is stopped on purpose; x starts it');
  });

  it('says that the tmux server is gone', () => {
    const view = busyView();
    const pane = open({ view: { ...view, town: { ...view.town, server: 'gone' } } });
    expect(pane.text()).toContain('tmux server gone');
    pane.press('n');
    expect(pane.text()).toContain('nudge: the tmux server is gone');
  });

  it('acts on all marked agents, and skips those it cannot be done to', async () => {
    const pane = open();
    pane.press('space', 'space', 'end', 'space', 'n', 'all of you', 'enter');
    await pane.settle();
    expect(calls(pane)).toEqual([
      ['nudge', 'polecat-bravo', 'all of you'],
      ['nudge', 'polecat-charlie', 'all of you'],
    ]);
    pane.press('escape', 'escape');
    expect(pane.text()).not.toContain('marked');
  });

  it('thaws where an emergency stop holds', async () => {
    const view = busyView();
    const held = view.agents.map((agent) => ({ ...agent, state: 'paused' as const, detail: 'estop by the operator' }));
    const pane = open({ view: { ...view, agents: held } });
    pane.press('!');
    expect(pane.text()).toContain('Thaw myrepo?');
    pane.press('y');
    await pane.settle();
    expect(calls(pane)).toEqual([['thaw']]);
  });

  it('ends when the town is down, and only then', async () => {
    const refusing = open({ actions: recordActions(async () => ({ kind: 'failed', why: '2 survivors' })) });
    refusing.press('Q', 'y');
    await refusing.settle();
    expect(refusing.isDown()).toBe(false);
    expect(refusing.text()).toContain('down: failed: 2 survivors');
    const pane = open();
    pane.press('Q', 'y');
    await pane.settle();
    expect(pane.isDown()).toBe(true);
  });
});

describe('receipts', () => {
  it.each([
    [{ kind: 'verified', proof: 'event' }, 'nudge polecat-alpha: verified (event)', '✓'],
    [{ kind: 'unverified', why: 'no proof in 5s' }, 'nudge polecat-alpha: unverified: no proof in 5s', '~'],
    [{ kind: 'queued', why: 'half-typed text' }, 'nudge polecat-alpha: queued: half-typed text', '◷'],
    [{ kind: 'failed', why: 'the pane is gone' }, 'nudge polecat-alpha: failed: the pane is gone', '✗'],
  ] as const)('shows %j in the row and below', async (result, message, glyph) => {
    const pane = open({ actions: recordActions(async () => result) });
    goTo(pane, 'alpha');
    pane.press('n', 'go', 'enter');
    await pane.settle();
    expect(pane.text()).toContain(message);
    expect(pane.text()).toMatch(new RegExp(`polecat-alpha +\\${glyph} working`));
  });

  it('blocks nothing while actions run, several at once, each with its own answer', async () => {
    const answers = new Map<string, () => void>();
    const actions = recordActions(
      (name, [agent]) =>
        new Promise((resolve) => {
          answers.set(`${name} ${String(agent)}`, () => resolve({ kind: 'done', text: 'ok' }));
        }),
    );
    const pane = open({ actions });
    goTo(pane, 'alpha');
    pane.press('i', 'home', 'i', 'n', 'typed meanwhile');
    expect(pane.text()).toContain('typed meanwhile');
    pane.press('enter');
    await pane.settle();
    expect([...answers.keys()].sort()).toEqual([
      'interrupt polecat-alpha',
      'interrupt polecat-bravo',
      'nudge polecat-bravo',
    ]);
    answers.get('interrupt polecat-alpha')?.();
    await pane.settle();
    expect(pane.text()).toContain('interrupt polecat-alpha: ok');
    expect(pane.text()).toMatch(/polecat-bravo +◌/);
  });

  it('shows the line of a refusal', async () => {
    const { refused } = await import('../../src/domain/errors.ts');
    const actions = recordActions(async () => {
      throw refused('no agent is idle', 'clear one, or wait');
    });
    const pane = open({ actions });
    pane.press('s', 'enter', 'enter');
    await pane.settle();
    expect(pane.text()).toContain('sling gt-r3ady: failed: no agent is idle; clear one, or wait');
  });
});

describe('pickers', () => {
  it('never slings a bead that merely resembles what was typed', async () => {
    const pane = open();
    pane.press('s', 'the migration', 'enter', 'enter');
    await pane.settle();
    expect(calls(pane)[0]).toEqual(['sling', 'gt-r3ady', null]);
    const other = open();
    other.press('s', 'Write a guide', 'enter', 'enter');
    await other.settle();
    expect(calls(other)[0]).toEqual(['addBead', 'Write a guide']);
  });

  it('shows agents that cannot take work with the reason, and does not sling to them', async () => {
    const pane = open();
    pane.press('s', 'enter', 'alpha', 'enter');
    expect(pane.text()).toContain('polecat-alpha: hook is active (gt-abc12)');
    await pane.settle();
    expect(calls(pane)).toEqual([]);
  });

  it('finds actions and agents by a few letters in the palette', () => {
    const pane = open();
    pane.press(':', 'echo', 'enter');
    expect(pane.text()).toMatch(/polecat-echo ─/);
    pane.press(':', 'strt', 'enter');
    expect(pane.text()).not.toContain('Do what?');
  });

  it('filters with every letter, by state words and negation; esc brings the old filter back', () => {
    const pane = open();
    pane.press('/', 'asking');
    expect(pane.text()).toContain('filter asking: 1 of 6');
    pane.press('ctrl-u', '!working !stopped', 'enter');
    expect(pane.text()).toContain('filter !working !stopped: 4 of 6');
    pane.press('/', 'ctrl-u', 'zzz');
    expect(pane.text()).toContain('No agent matches “zzz”');
    pane.press('escape');
    expect(pane.text()).toContain('filter !working !stopped: 4 of 6');
    pane.press('escape');
    expect(pane.text()).not.toContain('filter !');
  });
});

describe('screens', () => {
  it('opens mail, marks it read and shows its text', async () => {
    const mail = [
      {
        id: 'm1',
        from: 'witness',
        to: 'operator',
        type: 'alert',
        subject: 'charlie stalls',
        body: 'Nothing for 9 minutes.\nPlease look.',
        payload: '',
        channel: 'mail' as const,
        durable: true,
        priority: 'urgent' as const,
        timestamp: '2026-11-30T11:00:00Z',
        read: false,
      },
    ];
    const pane = open({ actions: recordActions(undefined, { mail }) });
    pane.press('m');
    await pane.settle();
    pane.press('enter');
    await pane.settle();
    expect(pane.text()).toContain('charlie stalls');
    expect(pane.text()).toContain('Please look.');
    expect(calls(pane)).toEqual([['mail'], ['markRead', 'm1'], ['mail']]);
  });

  it('shows of the gate only which tree is armed and for how long', () => {
    const pane = open();
    pane.press('g');
    expect(pane.text()).toMatch(/armed for 2h {2}\/repo/);
    expect(pane.text()).not.toMatch(/cycle|digest|[0-9a-f]{8}/);
  });

  it('previews the pane of the selected agent and follows the selection', async () => {
    const actions = recordActions(undefined, {
      peek: async (agent) => [`this is ${agent}`, '\u001b[31mred\u001b[0m', ''],
    });
    const pane = open({ actions });
    pane.press('p');
    await pane.settle();
    expect(pane.text()).toContain('this is polecat-bravo');
    pane.press('j');
    await pane.settle();
    expect(pane.text()).toContain('this is polecat-charlie');
    pane.press('escape');
    expect(pane.text()).not.toContain('this is');
  });

  it('tells a corrupt hook in the row and what to do about it', () => {
    const agents = [
      fakeAgent('polecat-alpha', { state: 'unknown', hook: { status: 'corrupt', quarantine: '/q/alpha.json' } }),
    ];
    const pane = open({ view: { ...busyView(), agents } });
    expect(pane.text()).toContain('hook file corrupt');
    expect(pane.text()).toContain('the file is corrupt; copy in /q/alpha.json: mend or remove it');
  });

  it('shows the whole question of an asking agent', () => {
    const question = `Which of these? ${'one option more, '.repeat(20)}and the last one`;
    const agents = [
      fakeAgent('polecat-alpha', { state: 'asking', detail: question, hook: hookOf('polecat-alpha', 'active') }),
    ];
    const pane = open({ view: { ...busyView(), agents }, columns: 80, rows: 24 });
    expect(pane.text().replace(/\s+/g, ' ')).toContain(question);
  });
});
