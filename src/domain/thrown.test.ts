/** Tests of reading what was thrown. */
import { expect, it } from 'vitest'
import { errorOf, textIn } from './thrown.ts'

it('keeps an error and wraps anything else', () => {
  const error = new TypeError('wrong')
  expect(errorOf(error)).toBe(error)
  expect(errorOf('wrong').message).toBe('wrong')
})

it('reads a field that is text', () => {
  expect(textIn(Object.assign(new Error('x'), { code: 'ENOENT' }), 'code')).toBe('ENOENT')
  expect([{ code: 1 }, {}, null, 'text'].map(thrown => textIn(thrown, 'code'))).toEqual([undefined, undefined, undefined, undefined])
})
