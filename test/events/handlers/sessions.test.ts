/** Handlers of prompts, stops, compactions and ends of sessions (seed 004) through the wired entry, for every runtime that reaches them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { changeHook } from '../../../src/store/hooks.ts';
import { addToNotepad } from '../../../src/town/handlers/notepad.ts';
import { rememberTyped } from '../../../src/town/typed.ts';
import { agentId, removeScratch, sessionId } from '../support/event-town.ts';
import {
  eventWords,
  type HandlerTown,
  type KnownRuntime,
  openHandlerTown,
  promptOf,
  recorded,
} from '../support/handler-town.ts';

let town: HandlerTown;
afterEach(() => town.close());
afterAll(removeScratch);

const all: readonly KnownRuntime[] = ['claude', 'codex', 'gemini', 'opencode'];
const say = (runtime: KnownRuntime, text: string) => town.say(eventWords[runtime].prompt, promptOf(runtime, text));
const own = (fields: object = {}) => ({ session_id: sessionId, subagent: null, cwd: '/repo', ...fields });
const startOf = (runtime: KnownRuntime, source: string) =>
  runtime === 'opencode'
    ? town.say('session.created', own({ source }))
    : town.say('SessionStart', recorded(runtime, 'SessionStart-startup', { source }));
const hook = { op: 'set', bead_id: 'gt-abc12', title: 'Paint the door' } as const;

const leading = {
  ralph: 'ralph make it right',
  autopilot: 'autopilot tidy the tests',
  ultraqa: 'ultraqa the tests pass',
  ultrawork: 'ultrawork go',
  ultrapilot: 'ultrapilot build it',
  swarm: 'swarm 2 agents: work through the list',
};

describe.each(all)('%s', (runtime) => {
  it('empty-message-sanitizer: blanks and invisible characters are refused before they cost a turn', async () => {
    town = await openHandlerTown(runtime);
    const { answer, out } = await say(runtime, ' \u200b\n\u2800 ');
    // opencode's plugin cannot refuse a prompt, and never sends an empty one.
    if (runtime !== 'opencode') expect(answer).toMatchObject({ decision: runtime === 'gemini' ? 'deny' : 'block' });
    expect(out).toContain('The prompt is empty');
    expect((await say(runtime, ' x ')).out).toBe('');
  });

  it('think-mode: asked for at the head or the end it is a hint; within the words it is not', async () => {
    town = await openHandlerTown(runtime);
    expect((await say(runtime, 'Design the cache. Think hard.')).context).toContain('Think before you act');
    expect((await say(runtime, 'I think hard drives fail, do they?')).out).toBe('');
    const { context } = await say(runtime, 'ultrathink: design it');
    expect(context.includes('Think before you act')).toBe(runtime !== 'claude');
  });

  it('auto-slash-command: the text of the command’s file with its words; Claude expands its own', async () => {
    town = await openHandlerTown(runtime);
    town.write('.claude/commands/deploy.md', '---\ndescription: x\n---\nDeploy $1 to $ARGUMENTS.');
    const { context } = await say(runtime, '/deploy web now');
    expect(context.includes('Deploy web to web now.')).toBe(runtime !== 'claude');
    expect((await say(runtime, '/nothing here')).out).toBe('');
    expect((await say(runtime, 'see /deploy web')).out).toBe('');
    expect((await say(runtime, '/../secrets x')).out).toBe('');
  });

  it('learner: a skill is offered by name and path where its trigger is a word of the prompt, and once', async () => {
    town = await openHandlerTown(runtime);
    town.write(
      '.chipset/skills/flaky-port.md',
      '---\nname: flaky-port\ndescription: free the port\ntriggers: [port in use, EADDRINUSE]\n---\n\nKill it.',
    );
    const { context } = await say(runtime, 'why is the Port in use?');
    expect(context).toContain('flaky-port: "free the port"');
    expect(context).not.toContain('Kill it.');
    expect((await say(runtime, 'the port in use again')).out).toBe('');
    expect((await say(runtime, 'the airport in user land')).out).toBe('');
    expect(town.state('learner', null)).toMatchObject({ used: { 'flaky-port': expect.any(String) } });
  });

  it('learner: a pattern noticed at a stop is proposed and not written; small talk is not', async () => {
    town = await openHandlerTown(runtime);
    const text = 'It works. The root cause was that the cache kept the old schema after a migration.';
    const stop = (said: string) =>
      runtime === 'opencode'
        ? town.say('session.idle', own({ message: said }))
        : town.say(
            eventWords[runtime].stop,
            recorded(
              runtime,
              eventWords[runtime].stop,
              runtime === 'gemini' ? { prompt_response: said } : { last_assistant_message: said },
            ),
          );
    await stop('All done.');
    expect(town.state('learner', null)).toBeNull();
    await stop(text);
    expect(town.state('learner', null)).toMatchObject({
      proposals: [{ agent_id: agentId, text: text.slice(10), times: 1 }],
    });
  });

  it('keyword-detector: a word that does not lead starts nothing and is suggested once; code and words of ours are nobody’s', async () => {
    town = await openHandlerTown(runtime, {}, 'crew');
    await say(runtime, 'could `ralph` do it, or ralph.ts?');
    rememberTyped(town.store.paths, agentId, 'please use autopilot here', Date.now());
    await say(runtime, 'please use autopilot here');
    expect(town.journal('keyword.suggested')).toEqual([]);
    for (let again = 0; again < 2; again += 1) await say(runtime, 'maybe let ralph do it');
    expect(town.journal('keyword.suggested')).toMatchObject([
      { agent_id: agentId, message: expect.stringContaining('ralph') },
    ]);
    expect(town.journal('mode.started')).toEqual([]);
  });

  it('keyword-detector: off, a leading word starts nothing; on, it starts its mode', async () => {
    town = await openHandlerTown(runtime, { 'keyword-detector': false }, 'crew');
    await say(runtime, 'ralph make it right');
    expect(town.journal('mode.started')).toEqual([]);
    await town.configure({});
    const { context } = await say(runtime, 'ralph make it right');
    expect(context).toContain('[gastown mode: ralph]');
  });

  it('modes: each begins by its own leading word and by no talk of it; a stop is sent on; the cancelling word lets go', async () => {
    town = await openHandlerTown(runtime, {}, 'crew');
    await say(runtime, 'is ralph any good?');
    expect(town.journal('mode.started')).toEqual([]);
    for (const [mode, words] of Object.entries(leading)) {
      expect((await say(runtime, words)).context, words).toContain(`[gastown mode: ${mode}]`);
      await say(runtime, 'cancelomc');
    }
    // A swarm without tasks and a goal without a command say so; an ultrapilot waits for its plan.
    const begun = town.journal('mode.started').map(({ mode }) => mode);
    expect(begun).toEqual(expect.arrayContaining(['ralph', 'autopilot', 'ultrawork', 'ultrapilot']));
    const stop = () =>
      runtime === 'opencode'
        ? town.say('session.idle', own({ message: 'done' }))
        : town.say(eventWords[runtime].stop, recorded(runtime, eventWords[runtime].stop));
    await say(runtime, leading.ralph);
    expect((await stop()).out).toContain('[gastown mode: ralph]');
    await say(runtime, 'cancelomc');
    expect((await stop()).out).not.toContain('[gastown mode');
  });

  it('notepad: priority notes at every beginning, working memory where the context was lost, another’s never', async () => {
    town = await openHandlerTown(runtime);
    expect((await startOf(runtime, 'startup')).context).not.toContain('Your own notes');
    await addToNotepad(town.store, agentId, 'the API key lives in the vault', true, Date.now());
    await addToNotepad(town.store, agentId, 'tried sqlite, too slow', false, Date.now());
    await addToNotepad(town.store, 'polecat-bravo', 'not for alpha', true, Date.now());
    const first = await startOf(runtime, 'resume');
    expect(first.context).toContain('! "the API key lives in the vault"');
    expect(first.context).not.toContain('too slow');
    expect(first.context).not.toContain('not for alpha');
    expect((await startOf(runtime, 'clear')).context).toContain('- "tried sqlite, too slow"');
  });

  it('session-end: it enqueues, answers nothing, and is back at once', async () => {
    town = await openHandlerTown(runtime);
    const { out } =
      runtime === 'opencode'
        ? await town.say('session.deleted', own())
        : await town.say('SessionEnd', recorded(runtime, 'SessionEnd'));
    expect(out).toBe('');
    expect(town.state('session-end', null)).toMatchObject({ ended: [{ session_id: sessionId, agent_id: agentId }] });
  });

  it('setup: the folders of the state are made, and Claude’s shell finds gt, once', async () => {
    town = await openHandlerTown(runtime);
    const file = town.write('env.sh', '');
    const payload = runtime === 'opencode' ? own({ source: 'startup' }) : recorded(runtime, 'SessionStart-startup');
    const words = runtime === 'opencode' ? 'session.created' : 'SessionStart';
    for (let again = 0; again < 2; again += 1) await town.fire(words, payload, { CLAUDE_ENV_FILE: file });
    expect(readFileSync(file, 'utf8')).toBe(`export PATH=${town.root}/.chipset/bin:"$PATH"\n`);
  });
});

describe('a compaction', () => {
  it.each(['claude', 'codex', 'opencode'] as const)(
    '%s, pre-compact: what it was about is given back, once',
    async (runtime) => {
      town = await openHandlerTown(runtime);
      await changeHook(town.store, agentId, hook, { kind: 'operator' }, Date.now());
      await say(runtime, 'paint it green please');
      if (runtime === 'opencode') await town.say('session.compacting', own());
      else expect((await town.say('PreCompact', recorded(runtime, 'PreCompact'))).out).toBe('');
      expect(town.state('pre-compact')).toMatchObject({ restored_at: null });
      // Nothing before it is over.
      expect((await say(runtime, 'hm')).context).not.toContain('Before your context was compacted');
      const over = runtime === 'codex' ? recorded('codex', 'PostCompact') : own();
      if (runtime !== 'claude') await town.say(runtime === 'codex' ? 'PostCompact' : 'session.compacted', over);
      const back = await (runtime === 'claude' ? startOf('claude', 'compact') : say(runtime, 'go on'));
      expect(back.context).toContain('On your hook (pending): gt-abc12 "Paint the door"');
      expect(back.context).toContain('paint it green');
      expect((await say(runtime, 'and on')).context).not.toContain('Before your context');
    },
  );

  it('gemini, pre-compact: it announces one before every turn, so only one that was asked for is given back', async () => {
    town = await openHandlerTown('gemini');
    await changeHook(town.store, agentId, hook, { kind: 'operator' }, Date.now());
    await town.say('PreCompress', recorded('gemini', 'PreCompress'));
    expect((await say('gemini', 'go on')).out).toBe('');
    await town.say('PreCompress', recorded('gemini', 'PreCompress', { trigger: 'manual' }));
    expect((await say('gemini', 'go on')).context).toContain('gt-abc12');
  });

  it.each(['claude', 'codex'] as const)(
    '%s, preemptive-compaction: measured at a stop, hinted once above the threshold, forgotten after a compaction',
    async (runtime) => {
      town = await openHandlerTown(runtime);
      const transcript = town.write('t.jsonl', '');
      const usage = (tokens: number) =>
        runtime === 'claude'
          ? {
              type: 'assistant',
              message: {
                model: 'm',
                usage: { input_tokens: 5, cache_read_input_tokens: tokens - 5, output_tokens: 0 },
              },
            }
          : {
              type: 'event_msg',
              payload: {
                type: 'token_count',
                info: { last_token_usage: { total_tokens: tokens }, model_context_window: 200_000 },
              },
            };
      const stop = async (tokens: number) => {
        const side = { type: 'assistant', isSidechain: true, message: { usage: { input_tokens: 199_000 } } };
        writeFileSync(
          transcript,
          `${[usage(tokens), side, { type: 'user' }].map((line) => JSON.stringify(line)).join('\n')}\n`,
        );
        await town.say('Stop', recorded(runtime, 'Stop', { transcript_path: transcript }));
      };
      await stop(20_000);
      expect(town.state('preemptive-compaction')).toMatchObject({ percent: 10, window: 200_000, hinted: false });
      expect((await say(runtime, 'go on')).out).toBe('');
      await stop(160_000);
      expect((await say(runtime, 'go on')).context).toContain('80 % full');
      expect((await say(runtime, 'go on')).out).toBe('');
      await town.say('PostCompact', recorded(runtime, 'PostCompact'));
      expect(town.state('preemptive-compaction')).toBeNull();
    },
  );
});

describe('what only some runtimes tell', () => {
  it('claude, subagent-tracker: a tree with tasks; a compaction’s end is nobody’s, and no end is ever answered (seed 004, #3203)', async () => {
    town = await openHandlerTown('claude');
    expect((await town.say('PreToolUse Agent', recorded('claude', 'PreToolUse-Agent'))).out).toBe('');
    expect((await town.say('SubagentStart', recorded('claude', 'SubagentStart'))).out).toBe('');
    expect(town.state('subagent-tracker')).toMatchObject({
      total: 1,
      agents: [{ id: 'a0000000000000010', type: 'general-purpose', task: 'sub job', parent: null, ended_at: null }],
    });
    expect((await town.say('SubagentStop', recorded('claude', 'SubagentStop-from-compact'))).out).toBe('');
    expect(town.state('subagent-tracker')).toMatchObject({ agents: [{ ended_at: null }] });
    expect((await town.say('SubagentStop', recorded('claude', 'SubagentStop'))).out).toBe('');
    expect(town.state('subagent-tracker')).toMatchObject({ agents: [{ outcome: 'completed', summary: 'MAIN-END' }] });
  });

  it.each(['codex', 'opencode'] as const)(
    '%s, subagent-tracker: one that never told its end is lost with the session',
    async (runtime) => {
      town = await openHandlerTown(runtime);
      if (runtime === 'codex') await town.say('SubagentStart', recorded('claude', 'SubagentStart'));
      else await town.say('subagent.start', own({ subagent: 'ses_child' }));
      const end = runtime === 'codex' ? recorded('codex', 'SessionEnd') : own();
      await town.say(runtime === 'codex' ? 'SessionEnd' : 'session.deleted', end);
      expect(town.state('subagent-tracker')).toMatchObject({ total: 1, agents: [{ outcome: 'lost' }] });
    },
  );

  it.each(['claude', 'opencode'] as const)(
    '%s, thinking-block-validator: a broken conversation is told apart from an error that passes',
    async (runtime) => {
      town = await openHandlerTown(runtime);
      const fail = (text: string) =>
        runtime === 'claude'
          ? town.say('StopFailure', recorded('claude', 'StopFailure', { last_assistant_message: text }))
          : town.say('session.error', own({ error: 'APIError', message: text }));
      await fail('API Error: 529 overloaded');
      expect(town.state('thinking-block-validator')).toBeNull();
      await fail(
        'API Error: 400 messages.1.content.0: `thinking` blocks in the latest assistant message cannot be modified',
      );
      expect(town.state('thinking-block-validator')).toMatchObject({
        error: expect.stringContaining('cannot be modified'),
      });
      expect(town.journal('session.broken')).toHaveLength(1);
    },
  );

  it.each(all)(
    '%s, background-notification: word is left for one who may not be looking; a tool leaves none',
    async (runtime) => {
      town = await openHandlerTown(runtime);
      await town.say(
        ...({
          claude: ['Notification', recorded('claude', 'Notification-permission_prompt')],
          codex: ['PermissionRequest', recorded('claude', 'PermissionRequest-Bash')],
          gemini: [
            'Notification',
            recorded('gemini', 'BeforeTool', { hook_event_name: 'Notification', notification_type: 'ToolPermission' }),
          ],
          opencode: ['permission.asked', own({ tool: 'bash' })],
        }[runtime] as [string, Record<string, unknown>]),
      );
      expect(town.state('background-notification', null)).toMatchObject({
        waiting: [{ agent_id: agentId, kind: 'permission' }],
      });
      town.close();
      town = await openHandlerTown(runtime);
      await say(runtime, 'hello');
      expect(town.state('background-notification', null)).toBeNull();
    },
  );

  it('claude, todo-continuation: counted at a stop of a session in a mode; another session’s never (seed 004)', async () => {
    town = await openHandlerTown('claude', {}, 'crew');
    town.write(`.claude/todos/${sessionId}.json`, JSON.stringify([{ content: 'a', status: 'pending' }]));
    await town.say('Stop', recorded('claude', 'Stop'));
    expect(town.state('todo-continuation')).toBeNull();
    await say('claude', 'ralph do it');
    await town.say('Stop', recorded('claude', 'Stop'));
    expect(town.state('todo-continuation')).toMatchObject({ pending: 1 });
  });
});

describe('the budget (issue 6, item 4)', () => {
  it('what is injected at once and in a session is bounded, and nothing is said twice', async () => {
    town = await openHandlerTown('claude', { 'rules-injector': { bytes: 5_000 } });
    for (const name of ['a', 'b', 'c', 'd']) town.write(`.chipset/rules/${name}.md`, `${name}`.repeat(20_000));
    await town.configure({ 'rules-injector': { bytes: 5_000 } });
    const file = town.write('x.ts', '');
    const read = () =>
      town.say(
        'PostToolUse Read',
        recorded('claude', 'PostToolUse', { tool_name: 'Read', tool_input: { file_path: file } }),
      );
    const given: string[] = [];
    for (let again = 0; again < 4; again += 1) given.push((await read()).context);
    expect(given.join('').length).toBeLessThanOrEqual(5_000);
    expect(given.filter(Boolean)).toHaveLength(1);
  });

  it('field report 46: a state that somebody holds costs an event a moment and never its answer', async () => {
    town = await openHandlerTown('claude');
    const failed = recorded('claude', 'PostToolUse', {
      tool_name: 'Edit',
      tool_input: { file_path: 'a.ts' },
      error: 'String to replace not found in file.',
    });
    const lock = join(town.stateDir, 'locks', `handlers.recovery.${sessionId}.lock`);
    town.write(`.chipset/state/locks/handlers.recovery.${sessionId}.lock`, readFileSync('/proc/self/stat', 'utf8'));
    const { out } = await town.say('PostToolUseFailure Edit', { ...failed, hook_event_name: 'PostToolUseFailure' });
    expect(readFileSync(lock, 'utf8')).not.toBe('');
    expect(out).toBe('');
    const trouble = readFileSync(join(town.stateDir, 'heartbeat', `${agentId}.trouble`), 'utf8');
    expect(trouble).toContain('handler recovery');
  });

  it('field report 44: what a handler wrote for a session that is over does not come back by a late event', async () => {
    town = await openHandlerTown('claude', {}, 'crew');
    await say('claude', 'ralph do it');
    await say('claude', 'cancelomc');
    for (let again = 0; again < 3; again += 1)
      expect((await town.say('Stop', recorded('claude', 'Stop'))).out).toBe('');
    expect(town.journal('mode.continued')).toEqual([]);
  });
});
