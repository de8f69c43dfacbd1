// One tick of the deacon over 1,000 agents at work, every file looked at again, against a bare loop that reads and parses the
// same files (the store parses only what is another file than before); and the tick of a deacon that nothing told of a
// change, which looks at no file. In turns, in one process.
// Bar: at most 2 times the bare loop, and linear (DESIGN section 9).
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';

const rounds = 9;
const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-bench-`));
const { openTown, gatherFacts, paceOf, readMemory, patrolAgent, patrol } = await bundle(
  folder,
  `export { openTown } from './src/town/context.ts';
   export { gatherFacts, paceOf } from './src/town/facts.ts';
   export { readMemory, patrolAgent } from './src/town/deacon/patrol-facts.ts';
   export { patrol } from './src/domain/patrol.ts';`,
);
mkdirSync(join(folder, 'layouts'));
writeFileSync(join(folder, 'package.json'), '{}');

const now = Date.now();
const iso = (ms) => new Date(ms).toISOString();

function makeTown(count) {
  const root = join(folder, `town-${count}`);
  const state = join(root, '.chipset/state');
  const write = (path, record) => {
    mkdirSync(join(state, path, '..'), { recursive: true });
    writeFileSync(join(state, path), typeof record === 'string' ? record : `${JSON.stringify(record, null, 2)}\n`);
  };
  const ids = Array.from({ length: count }, (_, n) => `polecat-${n}`);
  mkdirSync(root, { recursive: true });
  writeFileSync(
    join(root, 'gastown.yaml'),
    `agents:\n${ids.map((id) => `  - {id: ${id}, runtime: claude}\n`).join('')}`,
  );
  for (const [n, id] of ids.entries()) {
    const bead_id = `gt-${n}`;
    const at = iso(now - 10_000);
    write(`hooks/${id}.json`, {
      agent_id: id,
      status: 'active',
      work_item: { bead_id, title: 'bench', assigned_at: at },
      last_activity: at,
    });
    write(`agents/${id}.json`, {
      agent_id: id,
      role: 'polecat',
      runtime: 'claude',
      instance_id: `i-${n}`,
      pane_id: `%${n}`,
      pid: 1000 + n,
      pid_started: 'x',
      started_at: at,
      session_id: `s-${n}`,
      previous_sessions: [],
      worktree: null,
      branch: null,
      stop_intent: false,
      strategy: 'hook_injection',
      fallback_at: null,
      ready_at: at,
      first_event_at: at,
      start_error: null,
      start_text: null,
      start_receipt: null,
      primed_at: at,
    });
    write(`work/${bead_id}.json`, {
      bead_id,
      title: 'bench',
      description: 'text '.repeat(20),
      status: 'in_progress',
      priority: 'P2',
      assignee: id,
      needs: [],
      created_at: at,
    });
    write(`sessions/s-${n}.json`, {
      session_id: `s-${n}`,
      agent_id: id,
      governed: true,
      status: 'active',
      note: null,
      proposal: null,
      tool_use_id: null,
      updated_at: at,
      source: 'PreToolUse',
    });
    write(`heartbeat/${id}.tool`, 'PreToolUse\n');
    write(`heartbeat/${id}.event`, 'PreToolUse\n');
    write(`nudge/${id}/latest.json`, {
      nudge_id: `n-${n}`,
      from: 'deacon',
      type: 'health_check',
      message: 'bench',
      timestamp: at,
      requires_response: true,
      bead_id,
    });
    write(`deacon/beads/${bead_id}.json`, {
      bead_id,
      agent_id: id,
      assigned_at: at,
      begun_at: at,
      activation: true,
      episodes: 1,
      stalled_at: null,
      nudges: [{ nudge_id: `n-${n}`, at, receipt: 'verified', answered_at: null, effective: true }],
      restarts: [],
      severity: null,
      mailed_at: null,
      escalated_at: null,
      escalation_opened: false,
    });
    write(`deacon/agents/${id}.json`, {
      agent_id: id,
      session: `s-${n}`,
      last_restart_at: null,
      starts: [],
      crashloop_at: null,
      loops: 0,
      recovery_due: false,
      exempt: null,
      floor_at: null,
      standing: null,
      resumed_at: null,
      told: [],
    });
  }
  return { root, state, ids };
}

function bareLoop(state) {
  let read = 0;
  for (const part of ['hooks', 'agents', 'work', 'sessions', 'deacon/beads', 'deacon/agents']) {
    for (const name of readdirSync(join(state, part))) {
      read += Object.keys(JSON.parse(readFileSync(join(state, part, name), 'utf8'))).length;
    }
  }
  for (const id of readdirSync(join(state, 'nudge'))) {
    read += Object.keys(JSON.parse(readFileSync(join(state, 'nudge', id, 'latest.json'), 'utf8'))).length;
  }
  for (const name of readdirSync(join(state, 'heartbeat'))) {
    const path = join(state, 'heartbeat', name);
    read += statSync(path).mtimeMs + readFileSync(path, 'utf8').length;
  }
  return read;
}

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const timed = (work) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

async function measure(count) {
  const { root, state, ids } = makeTown(count);
  const town = await openTown({ cwd: root, env: { HOME: folder, PATH: process.env.PATH, GT_STATE_DIR: state } });
  const panes = new Map(
    ids.map((_, n) => [
      `%${n}`,
      {
        pane_id: `%${n}`,
        window_id: '@1',
        pid: 1000 + n,
        dead: false,
        command: 'node',
        title: '',
        in_mode: false,
        label: '',
        session: 'town',
      },
    ]),
  );
  const around = { townRunning: true, panes, screens: new Map() };
  const beside = { serverOk: true, screen: null, busy: false, begunAt: null, escalations: [] };
  let known = [];
  const reread = () => {
    known = town.agents.map((config, n) => ({
      facts: gatherFacts(town, config, around),
      memory: readMemory(town, config.agent_id, `gt-${n}`),
    }));
  };
  const judge = () => {
    const agents = known.map(({ facts, memory }) => patrolAgent(town, facts, memory, beside));
    return patrol({ agents, pace: paceOf(town), floorAt: 0, seenSince: now, clockJumpMs: null }, Date.now());
  };
  const full = () => {
    reread();
    return judge();
  };
  const states = new Set(full().judgements.map(({ verdict }) => verdict.state));
  if (states.size !== 1 || !states.has('working')) throw new Error(`unexpected verdicts: ${[...states]}`);
  bareLoop(state);
  const [bare, tick, quiet] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(timed(() => bareLoop(state)));
    tick.push(timed(full));
    quiet.push(timed(judge));
  }
  return { bare: median(bare), tick: median(tick), quiet: median(quiet) };
}

const small = await measure(250);
const large = await measure(1_000);
rmSync(folder, { recursive: true, force: true });
console.log(
  JSON.stringify({
    bench: 'deacon-tick',
    agents: 1_000,
    bare_ms: +large.bare.toFixed(1),
    tick_ms: +large.tick.toFixed(1),
    ratio: +(large.tick / large.bare).toFixed(2),
    bar: '<= 2',
    quiet_tick_ms: +large.quiet.toFixed(2),
    growth_250_to_1000: +(large.tick / small.tick).toFixed(2),
  }),
);
