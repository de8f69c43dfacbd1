/** Claude Code: the town chooses the session id, and its SessionStart event injects the prime (hook_injection). */
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toRecordText } from '../../domain/json.ts';
import type { RuntimeDescriptor } from '../../domain/runtime.ts';
import { launch, programOf, sessionFlags } from '../launch.ts';
import type { Runtime } from '../runtime.ts';
import { claudeSettings } from './event-settings.ts';

export const claudeRuntime = (descriptor: RuntimeDescriptor): Runtime => ({
  descriptor,
  plan: (request) => {
    const path = join(request.stateDir, 'runtime', `${request.agent_id}.settings.json`);
    return launch(descriptor, request, {
      program: [programOf(descriptor, request)],
      flags: ['--settings', path, ...sessionFlags(descriptor, request)],
      files: [{ path, text: toRecordText(claudeSettings(request.binDir)) }],
    });
  },
  findSession: async (sessionId, env) => {
    const root = join(env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude'), 'projects');
    try {
      const projects = await readdir(root);
      const files = await Promise.all(
        projects.map((project) => readdir(join(root, project)).catch((): string[] => [])),
      );
      return files.some((names) => names.includes(`${sessionId}.jsonl`)) ? 'yes' : 'no';
    } catch {
      return 'unknown';
    }
  },
  latestSession: async () => null,
  eventSettings: null,
});
