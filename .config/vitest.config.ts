import { defineConfig } from 'vitest/config';

/** Two suites: `fast` is `npm test`; `slow` needs minutes or the real agent CLIs (`npm run test:slow`). */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  esbuild: { jsx: 'automatic' },
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 3,
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
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
