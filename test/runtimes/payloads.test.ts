import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { EventFormat } from '../../src/domain/event.ts';
import { claudeEvents } from '../../src/runtimes/claude/events.ts';
import { codexEvents } from '../../src/runtimes/codex/events.ts';
import { geminiEvents } from '../../src/runtimes/gemini/events.ts';

const folder = new URL('../support/real-runtimes/payloads/', import.meta.url);
const formats: [string, EventFormat][] = [
  ['claude', claudeEvents],
  ['claude-2.1.197', claudeEvents],
  ['codex', codexEvents],
  ['gemini', geminiEvents],
];

test.each(formats)(
  'what the real %s sent is read as one shape: kind, subagent, source, tool and question',
  (runtime, format) => {
    const files = readdirSync(new URL(`${runtime}/`, folder)).filter((name) => name.endsWith('.json'));
    const rows = files.sort().map((file) => {
      const payload = JSON.parse(readFileSync(new URL(`${runtime}/${file}`, folder), 'utf8'));
      const event = format.parse(payload.hook_event_name, payload);
      expect(event.session_id, file).not.toBeNull();
      const facts = {
        subagent: event.subagent,
        source: event.source,
        tool: event.tool?.name,
        question: event.tool?.question,
        stopBlocked: event.stopBlocked || undefined,
        running: event.running?.length || undefined,
      };
      const told = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
      return `${file}: ${event.kind} ${told.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(' ')}`.trimEnd();
    });
    expect(rows.join('\n')).toMatchSnapshot();
  },
);
