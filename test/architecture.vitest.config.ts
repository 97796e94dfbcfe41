/** The architecture test alone: it reads files and needs no database. */
import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['test/architecture.test.ts'] } })
