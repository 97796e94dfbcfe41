/** Tests of the typed helpers for objects, lists and maps. */
import { expect, it } from 'vitest'
import { definedFields, elementAt, entriesOf, isKeyOf, isOneOf, isRecord, keysOf, recordOf, valueAt } from './objects.ts'

it('lists keys and entries in the order of the object', () => {
  expect(keysOf({ b: 1, a: 2 })).toEqual(['b', 'a'])
  expect(entriesOf({ b: 1, a: 2 })).toEqual([
    ['b', 1],
    ['a', 2],
  ])
})

it('makes a record with a value for each key', () => {
  expect(recordOf(['one', 'three'], key => key.length)).toEqual({ one: 3, three: 5 })
})

it('leaves out fields that are undefined and keeps null', () => {
  expect(Object.keys(definedFields({ a: undefined, b: null, c: 0 }))).toEqual(['b', 'c'])
})

it('takes own keys only', () => {
  expect(isKeyOf({ a: 1 }, 'a')).toBe(true)
  expect(isKeyOf({ a: 1 }, 'toString')).toBe(false)
})

it('distinguishes records from lists and null', () => {
  expect([{}, [], null, 'text'].map(isRecord)).toEqual([true, false, false, false])
})

it('knows the values of a list', () => {
  expect(isOneOf(['a', 'b'], 'b')).toBe(true)
  expect(isOneOf(['a', 'b'], 'c')).toBe(false)
})

it('refuses an index and a key that are not there', () => {
  expect(elementAt(['a'], 0)).toBe('a')
  expect(() => elementAt(['a'], 1)).toThrow(RangeError)
  expect(valueAt(new Map([['a', 0]]), 'a')).toBe(0)
  expect(() => valueAt(new Map([['a', 0]]), 'b')).toThrow(RangeError)
})
