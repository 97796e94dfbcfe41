/** Proofs: long runs, one after the other, on one PostgreSQL of their own. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/proof/**/*.proof.ts'],
    globalSetup: ['test/postgres.ts'],
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 180_000,
    disableConsoleIntercept: true,
  },
})
