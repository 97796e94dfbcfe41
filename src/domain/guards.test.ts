/** Tests of the type guards. */
import { expect, it } from 'vitest'
import { among, isFlag, isNumber, isText, isWholeNumber, listOf, mapOf, nullable, objectOf, optional } from './guards.ts'

it('knows text, flags and numbers', () => {
  expect([isText('a'), isText(1)]).toEqual([true, false])
  expect([isFlag(false), isFlag(0)]).toEqual([true, false])
  expect([isNumber(1.5), isNumber(Number.NaN), isNumber('1')]).toEqual([true, false, false])
  expect([isWholeNumber(3), isWholeNumber(1.5), isWholeNumber(2 ** 53)]).toEqual([true, false, false])
})

it('takes one of several values, null or nothing only where that is allowed', () => {
  const isColour = among(['red', 'blue'])
  expect([isColour('red'), isColour('green'), isColour(null)]).toEqual([true, false, false])
  expect([nullable(isColour)(null), nullable(isColour)(undefined)]).toEqual([true, false])
  expect([optional(isColour)(undefined), optional(isColour)(null)]).toEqual([true, false])
})

it('checks every element of a list and every value of a map', () => {
  expect([listOf(isText)([]), listOf(isText)(['a', 1]), listOf(isText)('a')]).toEqual([true, false, false])
  expect([mapOf(isNumber)({ a: 1 }), mapOf(isNumber)({ a: '1' }), mapOf(isNumber)([1])]).toEqual([true, false, false])
})

it('checks the fields of an object that it names, and allows further ones', () => {
  const isPerson = objectOf<{ name: string; age?: number }>({ name: isText, age: optional(isNumber) })
  expect([isPerson({ name: 'Mette' }), isPerson({ name: 'Mette', age: 40, city: 'Odense' })]).toEqual([true, true])
  expect([isPerson({ age: 40 }), isPerson({ name: 'Mette', age: '40' }), isPerson(null), isPerson(['Mette'])]).toEqual([
    false,
    false,
    false,
    false,
  ])
})
