/** Recorded payloads of the real runtimes, read into the one internal shape. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventKind, RuntimeEvent } from '../../src/domain/event.ts';
import { formatOf } from '../../src/events/formats.ts';

const folder = new URL('../support/real-runtimes/payloads/', import.meta.url).pathname;
const read = (runtime: string, name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, runtime, `${name}.json`), 'utf8'));
const parse = (runtime: string, name: string): RuntimeEvent => {
  const payload = read(runtime, name);
  return formatOf(runtime).parse(String(payload['hook_event_name']), payload);
};

const kinds: Record<string, EventKind> = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'prompt',
  BeforeAgent: 'prompt',
  PreToolUse: 'tool_start',
  BeforeTool: 'tool_start',
  PostToolUse: 'tool_end',
  AfterTool: 'tool_end',
  PostToolBatch: 'batch_end',
  PermissionRequest: 'permission',
  SubagentStart: 'subagent_start',
  SubagentStop: 'subagent_end',
  Stop: 'stop',
  AfterAgent: 'stop',
  StopFailure: 'turn_failed',
  Interrupt: 'interrupt',
  PreCompact: 'compact_start',
  PreCompress: 'compact_start',
  PostCompact: 'compact_end',
  SessionEnd: 'session_end',
};

describe('recorded payloads', () => {
  const files = ['claude', 'claude-2.1.197', 'codex', 'gemini'].flatMap((version) =>
    readdirSync(join(folder, version))
      .filter(
        (name) => name.endsWith('.json') && !name.startsWith('Notification') && !name.includes('task-notification'),
      )
      .map((name) => [version, name.replace('.json', '')] as const),
  );
  it.each(files)('%s %s', (version, name) => {
    const payload = read(version, name);
    const runtime = version.replace(/-.*/, '');
    const event = formatOf(runtime).parse(String(payload['hook_event_name']), payload);
    expect(event.kind).toBe(kinds[String(payload['hook_event_name'])] ?? 'other');
    expect(event.session_id).toBe(payload['session_id']);
    expect(event.subagent).toBe(payload['agent_id'] ?? null);
    expect(event.tool?.name ?? null).toBe(payload['tool_name'] ?? null);
  });

  it('a notice tells the dialog from the idle prompt, and a finished subagent is no prompt', () => {
    expect(parse('claude', 'Notification-idle_prompt').kind).toBe('waiting');
    expect(parse('claude', 'Notification-permission_prompt').kind).toBe('permission');
    expect(parse('claude', 'UserPromptSubmit-task-notification').kind).toBe('other');
    expect(parse('claude', 'UserPromptSubmit').prompt).toBe('write the proof please');
  });

  it('the question, the running subagents, the batch and the blocked stop are read', () => {
    expect(parse('claude', 'PreToolUse-AskUserQuestion').tool).toMatchObject({
      id: 'toolu_fake000014',
      question: 'Which color?',
    });
    expect(parse('claude', 'Stop-with-running-subagent').running).toEqual(['a0000000000000010']);
    expect(parse('claude', 'Stop').running).toEqual([]);
    expect(parse('codex', 'Stop').running).toBeNull();
    expect(parse('claude', 'Stop-after-block').stopBlocked).toBe(true);
    expect(parse('claude', 'PostToolBatch').ended).toEqual(['toolu_fake000002']);
    expect(parse('gemini', 'BeforeTool').tool?.id).toBe('tool:run_shell_command');
    expect(parse('claude', 'StopFailure').text).toContain('API Error');
  });
});
