/** Journeys: the built product in a real Chromium, one file after the other, on one PostgreSQL of their own. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/journeys/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    setupFiles: ['test/query-warnings.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
