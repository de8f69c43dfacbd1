import { defineConfig } from 'vitest/config';

/**
 * `fast` is `npm test`; `slow` runs the real agent CLIs (`npm run test:slow`); `long` takes many minutes: opencode, and
 * the races of shells at the handoff gate (`npm run test:long`).
 */
const long = ['test/e2e/slow/*opencode*.test.ts', 'test/e2e/slow/handoff-shells.test.ts'];

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 3,
    // Real programs on a machine that others use, too: on CI one that failed may show that it was the machine.
    retry: process.env['CI'] ? 2 : 0,
    // `.ci/run` adds the results up.
    reporters: process.env['GASTOWN_RESULTS']
      ? ['default', ['json', { outputFile: process.env['GASTOWN_RESULTS'] }]]
      : ['default'],
    projects: [
      {
        extends: true,
        test: { name: 'fast', include: ['test/**/*.test.{ts,tsx}'], exclude: ['test/e2e/slow/**', 'test/bench/**'] },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['test/e2e/slow/**/*.test.ts'],
          exclude: long,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: { name: 'long', include: long, testTimeout: 3_600_000, hookTimeout: 300_000, fileParallelism: false },
      },
    ],
  },
});
