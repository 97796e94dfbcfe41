/** The published description of the API: its rules by linters, and a client that a generator makes of it. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/openapi/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})
