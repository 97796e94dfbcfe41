/** Fails a test file during which a database client was asked while it still ran a statement: pg 9 refuses that. */
import { afterAll, beforeAll, expect } from 'vitest'

const warnings: string[] = []
const note = (warning: Error) => {
  if (warning.message.includes('client.query()')) warnings.push(warning.stack ?? warning.message)
}

beforeAll(() => void process.on('warning', note))
afterAll(() => {
  process.off('warning', note)
  expect(warnings).toEqual([])
})
