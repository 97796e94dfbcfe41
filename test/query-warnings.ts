/**
 * Fails a test file during which a database client was asked while it still ran a statement, which pg 9 refuses, or a statement was built in a way
 * that Kysely calls deprecated, of which it prints a line.
 */
import { afterAll, beforeAll, expect } from 'vitest'

const warnings: string[] = []
const note = (warning: Error) => {
  if (warning.message.includes('client.query()')) warnings.push(warning.stack ?? warning.message)
}
const print = console.log

beforeAll(() => {
  process.on('warning', note)
  console.log = (...said: unknown[]) => {
    if (typeof said[0] === 'string' && /^`?orderBy\(.* is deprecated/.test(said[0])) warnings.push(new Error(said[0]).stack ?? said[0])
    print(...said)
  }
})
afterAll(() => {
  process.off('warning', note)
  console.log = print
  expect(warnings).toEqual([])
})
