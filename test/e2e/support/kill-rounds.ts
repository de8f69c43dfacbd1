/**
 * A town at work whose processes are killed (`kill -9`) at random moments: agents, the deacon, the control pane, commands
 * on their way, now and then the tmux server. After each round, and at the end when all of it may come to rest, the files
 * must tell that no work was lost and none was run again without a start on record (DESIGN section 9).
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bead } from '../../../src/domain/bead.ts';
import type { Hook } from '../../../src/domain/hook.ts';
import type { AgentRecord, Escalation, JournalEntry, Lease, TownRecord } from '../../../src/domain/records.ts';
import { gastownProgram, type ScratchTown, scratchTown } from '../../support/town.ts';

export interface KillRounds {
  killed: Record<string, number>;
  /** Acknowledged by `gastown bead add`, and how many of them are done. */
  added: number;
  done: number;
  starts: number;
  faults: string[];
}

/**
 * The agent: it runs what is on its hook, and writes down which run of it does. It believes its hook's file, asks `gt`
 * before it begins, and knows nothing of kills.
 */
const worker = `#!/bin/sh
printf '> '
hook="$GT_STATE_DIR/hooks/$GT_AGENT_ID.json"
of() { sed -n 's/.*"'"$1"'": "\\([^"]*\\)".*/\\1/p' "$hook" 2>/dev/null | head -1; }
while :; do
  case $(of status) in
    pending) "$GT_BIN" hook start >/dev/null 2>&1 || { sleep 0.2; continue; } ;;
    active) "$GT_BIN" hook >/dev/null 2>&1 || { sleep 0.2; continue; } ;;
    *) sleep 0.2; continue ;;
  esac
  printf '%s %s %s\\n' "$(of bead_id)" "$GT_AGENT_ID" "$GT_INSTANCE_ID" >>"$HOME/runs"
  sleep 0.2
  "$GT_BIN" 'done' >/dev/null 2>&1
done
`;

const config = `agents:
  - {name: polecat, runtime: worker, count: 3}
worktrees: false
runtimes:
  worker: {command: worker}
gupp:
  thresholds: {stall_detection: 60, nudge_interval: 30, restart_threshold: 120}
`;

/** A number from 0 to 1, the same ones for one seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export async function killRounds(rounds: number, seed = 2_026): Promise<KillRounds> {
  const town = scratchTown({ config, env: { GASTOWN_TIME_SCALE: '0.05' } });
  town.program('worker', worker);
  try {
    return await run(town, rounds, random(seed));
  } finally {
    await town.stop();
  }
}

async function run(town: ScratchTown, rounds: number, chance: () => number): Promise<KillRounds> {
  const told: KillRounds = { killed: {}, added: 0, done: 0, starts: 0, faults: [] };
  const acknowledged = new Set<string>();
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)];
  const files = stateOf(town);
  const fault = (text: string): void => {
    if (!told.faults.includes(text)) told.faults.push(text);
  };
  const first = await town.run(['up', '--detach'], { timeoutMs: 60_000 });
  if (first.code !== 0) throw new Error(`up: ${first.err}`);

  /** What an operator would do next, by what is on disk. */
  const nextWords = (killing: boolean): string[] => {
    const { hooks, beads, agents } = files.all(fault);
    if (!alive(files.town()?.server_pid)) return ['up', '--resume', '--detach'];
    const escalation = files.escalations().find(({ acknowledged_at }) => acknowledged_at === null);
    if (escalation) return ['escalations', 'answer', escalation.escalation_id, 'reset'];
    const dead = agents.find(({ pid }) => !alive(pid));
    if (dead && chance() < 0.5) return ['start', dead.agent_id];
    if (!alive(files.lease()?.pid) && chance() < 0.5) return ['deacon', 'start'];
    const completed = hooks.find(({ status }) => status === 'completed');
    if (completed) return ['clear', completed.agent_id];
    const hooked = new Set(hooks.map(({ work_item }) => work_item?.bead_id));
    const ready = beads.filter(({ bead_id, status }) => status === 'open' && !hooked.has(bead_id));
    const free = agents.filter(({ agent_id }) => hooks.find((one) => one.agent_id === agent_id)?.work_item == null);
    const agent = pick(free);
    const bead = pick(ready);
    if (agent && bead) return ['sling', bead.bead_id, agent.agent_id];
    if (killing && ready.length < 3) return ['bead', 'add', `work ${acknowledged.size}`];
    return ['status'];
  };

  const begin = (words: readonly string[]) => {
    const child = spawn(process.execPath, [gastownProgram, ...words, '--json'], {
      cwd: town.root,
      env: town.env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    const ended = new Promise<void>((resolve) => {
      const limit = setTimeout(() => {
        fault(`gastown ${words.join(' ')} did not end`);
        child.kill('SIGKILL');
      }, 60_000);
      child.on('close', (code) => {
        clearTimeout(limit);
        if (code === 0 && words[1] === 'add') acknowledged.add((JSON.parse(out) as Bead).bead_id);
        if (code === 1) fault(`gastown ${words.join(' ')}: exit 1`);
        if (code === 4) fault(`gastown ${words.join(' ')}: exit 4, unreadable`);
        resolve();
      });
    });
    return { pid: child.pid, ended };
  };

  for (let round = 0; round < rounds; round += 1) {
    const command = begin(nextWords(true));
    await new Promise((done) => setTimeout(done, chance() * 400));
    const [who, pid] = victim(chance, files, command.pid);
    if (pid !== null && kill(pid)) told.killed[who] = (told.killed[who] ?? 0) + 1;
    await command.ended;
    for (const { bead_id, agents } of files.twiceHooked(fault)) fault(`${bead_id} is on the hooks of ${agents}`);
  }

  for (const deadline = Date.now() + 120_000; Date.now() < deadline; ) {
    const { beads, hooks } = files.all(fault);
    if (beads.every(({ status }) => status === 'done') && hooks.every(({ work_item }) => work_item === null)) break;
    await begin(nextWords(false)).ended;
    await new Promise((done) => setTimeout(done, 200));
  }

  const { beads } = files.all(fault);
  const known = new Map(beads.map((bead) => [bead.bead_id, bead.status]));
  for (const id of acknowledged)
    if (known.get(id) !== 'done') fault(`${id} was added and is ${known.get(id) ?? 'lost'}`);
  for (const name of readdirSync(town.stateDir)) {
    if (name === 'quarantine' && readdirSync(join(town.stateDir, name)).length > 0) fault('a record was corrupt');
  }
  told.added = acknowledged.size;
  told.done = beads.filter(({ status }) => status === 'done').length;
  told.starts = checkRuns(town, files.journal(), fault);
  return told;
}

/** More runs of one bead than the first need a start of that agent on record for each; two agents never run one bead. */
function checkRuns(town: ScratchTown, journal: readonly JournalEntry[], fault: (text: string) => void): number {
  const path = join(town.folder, 'home/runs');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  const byBead = new Map<string, Set<string>>();
  const byAgent = new Map<string, Set<string>>();
  for (const line of lines) {
    const [bead = '', agent = '', instance = ''] = line.split(' ');
    byBead.set(bead, (byBead.get(bead) ?? new Set()).add(agent));
    byAgent.set(agent, (byAgent.get(agent) ?? new Set()).add(instance));
  }
  for (const [bead, agents] of byBead) if (agents.size > 1) fault(`${bead} was run by ${[...agents].join(' and ')}`);
  const starts = journal.filter(({ kind }) => /^agent\.(started|restarted)$/.test(kind));
  for (const [agent, instances] of byAgent) {
    const onRecord = starts.filter(({ agent_id }) => agent_id === agent).length;
    if (instances.size > onRecord) fault(`${agent}: ${instances.size} runs worked, ${onRecord} starts are on record`);
  }
  return starts.length;
}

function victim(chance: () => number, files: State, command: number | undefined): [string, number | null] {
  const die = chance();
  if (die < 0.35) return ['command', command ?? null];
  if (die < 0.6) {
    const { agents } = files.all(() => {});
    const agent = agents[Math.floor(chance() * agents.length)];
    return ['agent', agent?.pid ?? null];
  }
  if (die < 0.8) return ['deacon', files.lease()?.pid ?? null];
  if (die < 0.98) return ['control pane', files.controlPid()];
  return ['tmux server', files.town()?.server_pid ?? null];
}

type State = ReturnType<typeof stateOf>;

function stateOf({ stateDir, env }: ScratchTown) {
  const read = <T>(path: string, fault: (text: string) => void): T[] => {
    try {
      return [JSON.parse(readFileSync(join(stateDir, path), 'utf8')) as T];
    } catch (error) {
      if (error instanceof SyntaxError) fault(`${path} is torn`);
      return [];
    }
  };
  const folder = <T>(name: string, fault: (text: string) => void): T[] =>
    existsSync(join(stateDir, name))
      ? readdirSync(join(stateDir, name))
          .filter((file) => /^[^.].*\.json$/.test(file))
          .flatMap((file) => read<T>(join(name, file), fault))
      : [];
  const one = <T>(path: string): T | undefined => read<T>(path, () => {})[0];
  const all = (fault: (text: string) => void) => ({
    hooks: folder<Hook>('hooks', fault),
    beads: folder<Bead>('work', fault),
    agents: folder<AgentRecord>('agents', fault),
  });
  const town = (): TownRecord | undefined => one<TownRecord>('town.json');
  return {
    all,
    town,
    lease: () => one<Lease>('deacon/lease.json'),
    escalations: () => folder<Escalation>('escalations', () => {}),
    journal: (): JournalEntry[] =>
      ['events.1.jsonl', 'events.jsonl'].flatMap((name) =>
        existsSync(join(stateDir, name))
          ? readFileSync(join(stateDir, name), 'utf8')
              .split('\n')
              .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as JournalEntry] : []))
          : [],
      ),
    twiceHooked: (fault: (text: string) => void) => {
      const by = new Map<string, string[]>();
      for (const { agent_id, work_item } of all(fault).hooks) {
        if (work_item) by.set(work_item.bead_id, [...(by.get(work_item.bead_id) ?? []), agent_id]);
      }
      return [...by].flatMap(([bead_id, agents]) =>
        agents.length > 1 ? [{ bead_id, agents: agents.join(', ') }] : [],
      );
    },
    /** The control pane's process; null where there is none. */
    controlPid(): number | null {
      const record = town();
      if (!record?.control_pane) return null;
      try {
        const words = ['-S', record.socket, '-N', 'display-message', '-p', '-t', record.control_pane, '#{pane_pid}'];
        return Number(
          execFileSync('tmux', words, { env: env as NodeJS.ProcessEnv, stdio: ['ignore', 'pipe', 'ignore'] }),
        );
      } catch {
        return null;
      }
    },
  };
}

function alive(pid: number | null | undefined): boolean {
  if (pid == null) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** False where it had ended. */
function kill(pid: number): boolean {
  if (!(pid > 1)) return false;
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
