/** Entry of the simulated agent (`dist/sim.js`), the program of a pane. Knows itself by the GT_ variables alone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type SimOrder, simOrderSchema } from '../../domain/sim.ts';
import { parseTime } from '../../domain/time.ts';
import { simAgent } from './agent.ts';
import { parseJson } from './parse-json.ts';
import { openTerminal } from './terminal.ts';
import { townCommand } from './town-command.ts';
import { watchFile } from './watch-file.ts';

const { values, positionals } = parseArgs({
  options: { 'work-ms': { type: 'string', default: '5000' } },
  allowPositionals: true,
});
const {
  GT_AGENT_ID: agentId = 'sim',
  GT_STATE_DIR: stateDir,
  GT_BIN: gtProgram = 'gt',
  GASTOWN_TEST: test,
  GASTOWN_TIME_SCALE: testScale,
} = process.env;

const startedAt = Date.now();
const scale = test === '1' && Number(testScale) > 0 && Number(testScale) <= 1 ? Number(testScale) : 1;
const workMs = Number(values['work-ms']);
const ordersFile = stateDir === undefined ? null : join(stateDir, 'sim', `${agentId}.json`);

function readOrder(): SimOrder | null {
  if (ordersFile === null) return null;
  try {
    return simOrderSchema.parse(parseJson(readFileSync(ordersFile, 'utf8')));
  } catch {
    return null;
  }
}

function leave(code: number): void {
  terminal?.close();
  process.exit(code);
}

let terminal: ReturnType<typeof openTerminal> | undefined;

function begin(standing: SimOrder | null): void {
  const opened = openTerminal(process.stdin, process.stdout, {
    submitted: (text) => agent.told(text),
    escaped: () => agent.interrupted(),
    closed: () => leave(0),
  });
  terminal = opened;
  opened.print(`gastown sim · ${agentId} · a simulated agent: it only pretends to work`);
  opened.status('sim ready');
  opened.title('sim: ready');
  const pace = {
    workMs: workMs * scale,
    // `gt` is a process of its own, and thirty agents may share two cores.
    touchMs: Math.max(250, Math.min(10_000, Math.max(1000, workMs / 5)) * scale),
    pollMs: 3000 * scale,
    scale,
  };
  const agent = simAgent(opened, townCommand(gtProgram), process.cwd(), pace, leave);

  if (standing !== null) agent.ordered(standing);
  if (ordersFile !== null) {
    watchFile(ordersFile, () => {
      const order = readOrder();
      if (order !== null) agent.ordered(order);
    });
  }
  if (stateDir !== undefined) watchFile(join(stateDir, 'hooks', `${agentId}.json`), agent.hookChanged);
  const prompt = positionals.join(' ').trim();
  if (prompt === '') agent.hookChanged();
  else agent.told(prompt);
}

/** What still holds from before this run; what happens once has happened. */
const order = readOrder();
const standing =
  order !== null && (parseTime(order.at) ?? 0) < startedAt && (order.behaviour === 'crash' || order.behaviour === 'ask')
    ? null
    : order;
if (standing?.behaviour === 'slow-start') setTimeout(() => begin(null), (standing.seconds ?? 0) * 1000 * scale);
else begin(standing);
