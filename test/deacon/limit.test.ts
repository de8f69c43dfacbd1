/** What the end of a turn says of a usage limit, in the words of each runtime (issue 3, item 5). */
import { describe, expect, it } from 'vitest';
import { newSession, nextSession } from '../../src/domain/freshness.ts';
import { limitOf, untilOf } from '../../src/domain/usage-limit.ts';
import { claudeEvents } from '../../src/runtimes/claude/events.ts';
import { opencodeEvents } from '../../src/runtimes/opencode/events.ts';

const now = Date.parse('2026-12-01T10:00:00.000Z');
const claude = (error: string, text: string) =>
  claudeEvents.parse('StopFailure', { session_id: 's1', error, last_assistant_message: text });

describe('a limit told by an event', () => {
  it('is known with its end where the words say it', () => {
    const event = claude('rate_limit', "You've hit your session limit · resets 3:30pm (Europe/Berlin)");
    expect(limitOf(event, now)).toEqual({
      until: Date.parse('2026-12-01T14:30:00.000Z'),
      line: "You've hit your session limit · resets 3:30pm (Europe/Berlin)",
    });
    const opencode = opencodeEvents.parse('session.error', {
      session_id: 's1',
      error: 'APIError',
      message: 'Rate limit exceeded, try again in 2 hours',
    });
    expect(limitOf(opencode, now)?.until).toBe(now + 7_200_000);
  });

  it('is known without an end where they do not, and where the time they say is over', () => {
    expect(limitOf(claude('rate_limit', 'API Error: 429 slow down'), now)?.until).toBeNull();
    expect(untilOf('usage limit, try again at 2020-01-01T00:00:00Z', now)).toBeNull();
  });

  it.each([
    ['overloaded_error', 'API Error: 529 Overloaded'],
    ['server_error', 'API Error: 500 internal'],
    ['invalid_request', 'prompt is too long: 250000 tokens > 200000 maximum'],
    ['authentication_failed', 'API Error: 401 invalid x-api-key'],
    ['unknown', 'API Error: 400 fake error 400'],
  ])('is none for %s: %s', (error, text) => {
    expect(limitOf(claude(error, text), now)).toBeNull();
  });

  it('field report 21: what an agent writes about limits in its own words is none', () => {
    const words = 'I added the rate limit of 429 responses; the quota resets in 2 hours.';
    const event = claudeEvents.parse('Stop', { session_id: 's1', last_assistant_message: words });
    expect(limitOf(event, now)).toBeNull();
  });

  it('stays on the record through notices and stops, and ends with the next prompt', () => {
    const session = newSession('s1', 'polecat-alpha', true, now);
    const prompt = claudeEvents.parse('UserPromptSubmit', { session_id: 's1', prompt: 'go on' });
    const active = nextSession(session, prompt, now);
    const limited = nextSession(active, claude('rate_limit', 'limit reached · resets in 10 minutes'), now + 1);
    expect(limited).toMatchObject({ status: 'error', limit: { until: '2026-12-01T10:10:00.001Z' } });
    const waiting = claudeEvents.parse('Notification', { session_id: 's1', notification_type: 'idle_prompt' });
    expect(nextSession(limited, waiting, now + 60_000)).toBeNull();
    expect(nextSession(limited, prompt, now + 600_000)).toMatchObject({ status: 'active', limit: null });
  });
});
