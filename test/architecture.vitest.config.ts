/** The tests that read files only and need no database: architecture, globals and vocabulary. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { testTimeout: 60_000, include: ['test/architecture.test.ts', 'test/globals.test.ts', 'test/vocabulary.test.ts'] },
})
