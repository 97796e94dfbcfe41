/** Unit and HTTP tests: all but the journeys, on one PostgreSQL of their own. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/journeys/**'],
    globalSetup: ['test/postgres.ts'],
    setupFiles: ['test/seeded.ts', 'test/query-warnings.ts'],
    maxWorkers: 2,
    // A run shares its processor with the database and with whatever else the machine does.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
