/** A scratch HOME in which a real CLI starts without an account, a wizard or a trust dialog, against the scripted server. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CodexHooks } from '../../../src/runtimes/codex/event-settings.ts';
import { type RealRuntime, realCache } from './install.ts';

export interface Seed {
  /** The scratch HOME, absolute; written into. */
  home: string;
  /** Folders to be trusted, absolute and real; folders below them are trusted with them. */
  trees: readonly string[];
  /** `FakeModel.url`. */
  modelUrl: string;
  /** Leave the folders untrusted, to see the dialog. */
  untrusted?: boolean;
  /** Codex: content of its hook file that shall count as approved. */
  codexHooks?: CodexHooks;
}

/** What the program needs beside its plan. */
export interface Seeded {
  env: Record<string, string>;
  args: string[];
}

const key = `sk-ant-fake-${'0'.repeat(28)}`;

/** Writes the seeds of `runtime` and answers its environment and arguments. HOME is in the environment. */
export async function seedHome(runtime: RealRuntime, seed: Seed): Promise<Seeded> {
  await mkdir(seed.home, { recursive: true });
  const seeded = await seeders[runtime]({ ...seed, trees: seed.untrusted === true ? [] : seed.trees });
  return { ...seeded, env: { HOME: seed.home, ...seeded.env } };
}

const seeders: Record<RealRuntime, (seed: Seed) => Promise<Seeded>> = {
  claude: async ({ home, trees, modelUrl }) => {
    await writeJson(join(home, '.claude.json'), {
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
      projects: Object.fromEntries(trees.map((tree) => [tree, { hasTrustDialogAccepted: true }])),
    });
    await writeJson(join(home, '.claude', 'settings.json'), { skipDangerousModePermissionPrompt: true });
    return {
      env: {
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: key,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        IS_SANDBOX: '1',
      },
      args: [],
    };
  },

  codex: async ({ home, trees, modelUrl, codexHooks }) => {
    const lines = [
      'model = "fake-model"',
      'model_provider = "fake"',
      'check_for_update_on_startup = false',
      '[model_providers.fake]',
      'name = "fake"',
      `base_url = "${modelUrl}/v1"`,
      'env_key = "FAKE_KEY"',
      'wire_api = "responses"',
      ...trees.flatMap((tree) => [`[projects."${tree}"]`, 'trust_level = "trusted"']),
      ...(codexHooks === undefined ? [] : approvals(join(home, '.codex', 'hooks.json'), codexHooks)),
    ];
    await write(join(home, '.codex', 'config.toml'), `${lines.join('\n')}\n`);
    if (codexHooks !== undefined) await writeJson(join(home, '.codex', 'hooks.json'), codexHooks);
    return { env: { FAKE_KEY: 'sk-fake' }, args: ['--no-daemon'] };
  },

  gemini: async ({ home, trees, modelUrl }) => {
    await writeJson(join(home, '.gemini', 'settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
    });
    await writeJson(
      join(home, '.gemini', 'trustedFolders.json'),
      Object.fromEntries(trees.map((tree) => [tree, 'TRUST_FOLDER'])),
    );
    return {
      env: { GEMINI_API_KEY: 'fake', GOOGLE_GEMINI_BASE_URL: modelUrl },
      // A model of its own name keeps Gemini from asking its router first.
      args: ['-m', 'gemini-2.5-pro'],
    };
  },

  opencode: async ({ home, modelUrl }) => {
    await writeJson(join(home, '.config', 'opencode', 'opencode.json'), {
      autoupdate: false,
      share: 'disabled',
      model: 'fake/fake-model',
      small_model: 'fake/fake-model',
      provider: {
        fake: {
          npm: '@ai-sdk/openai-compatible',
          name: 'Fake',
          options: { baseURL: `${modelUrl}/v1`, apiKey: 'fake' },
          models: { 'fake-model': { name: 'Fake Model', tool_call: true, limit: { context: 200_000, output: 8000 } } },
        },
      },
    });
    return {
      env: {
        // It fetches its provider with every fresh HOME; a shared cache keeps that to once.
        XDG_CACHE_HOME: join(realCache, 'opencode-cache'),
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      },
      args: [],
    };
  },
};

/** Codex runs a hook only when its hash is on record; the hash covers compact JSON with sorted keys. */
function approvals(file: string, { hooks }: CodexHooks): string[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap((group, groupIndex) =>
      group.hooks.flatMap(({ command, timeout, type }, index) => {
        const name = event.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
        const matcher = group.matcher === undefined ? {} : { matcher: group.matcher };
        const text = JSON.stringify({
          event_name: name,
          hooks: [{ async: false, command, timeout, type }],
          ...matcher,
        });
        const hash = createHash('sha256').update(text).digest('hex');
        return [`[hooks.state."${file}:${name}:${groupIndex}:${index}"]`, `trusted_hash = "sha256:${hash}"`];
      }),
    ),
  );
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

const writeJson = (path: string, value: unknown): Promise<void> => write(path, `${JSON.stringify(value, null, 2)}\n`);
