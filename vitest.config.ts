/** Unit and HTTP tests: all but the journeys, on one PostgreSQL of their own. */
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/journeys/**'],
    globalSetup: ['test/postgres.ts'],
    setupFiles: ['test/seeded.ts', 'test/query-warnings.ts'],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A run shares its processor with the database and with whatever else the machine does; a test that needs its second try is listed at the
    // end of the run, with the cause of the first.
    retry: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
