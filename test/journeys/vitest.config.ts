/** Journeys: the built product in a real Chromium, two files at a time, on one PostgreSQL of their own. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from '../longest-first.ts'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/journeys/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    setupFiles: ['test/query-warnings.ts'],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A browser on a shared machine; a test that needs its second try is listed at the end of the run, with the cause of the first.
    retry: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
