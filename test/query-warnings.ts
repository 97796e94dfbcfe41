/** Fails a test file during which a database client was asked while it still ran a statement: pg 9 refuses that. */
import { afterAll, expect } from 'vitest'

const warnings: string[] = []
process.on('warning', warning => {
  if (warning.message.includes('client.query()')) warnings.push(warning.stack ?? warning.message)
})

afterAll(() => expect(warnings).toEqual([]))
