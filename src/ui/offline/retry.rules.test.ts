/** Which failed calls are sent again, and when. */
import { expect, it } from 'vitest'
import { CallError } from '#ui/query/call-error.ts'
import { retryDelay, retryOf } from './retry.rules.ts'

it.each([
  [444, undefined, true, false],
  [503, 'database_unavailable', true, false],
  [500, 'internal_error', true, true],
  [401, 'not_signed_in', true, true],
  [429, 'too_many_attempts', true, true],
  [409, 'busy', true, true],
  [409, 'order_busy', false, true],
  [403, 'pin_required', false, true],
  [404, 'order_not_found', false, true],
] as const)('after %i “%s” sends again: %s', (status, code, again, reachable) => {
  expect(retryOf(new CallError(status, '', code === undefined ? {} : { code }))).toEqual({ again, reachable })
})

it('sends again after a fault of this program', () => {
  expect(retryOf(new Error('fault'))).toEqual({ again: true, reachable: false })
})

it('waits longer from try to try, but never longer than five seconds', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map(failures => retryDelay(failures, false))).toEqual([300, 600, 1200, 2400, 4800, 5000, 5000])
})

it('asks a server that answers sooner than one that does not', () => {
  expect(retryDelay(0, true)).toBeLessThan(100)
  expect(retryDelay(0, true)).toBeLessThan(retryDelay(0, false))
})
