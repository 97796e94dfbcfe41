/** What a key may do is said in the words of its form. */
import { expect, it } from 'vitest'
import { keyScopes } from '#contract/access.ts'
import { rightsOf } from './cms-keys.labels.ts'

it('names each scope by area and level, and never by its code', () => {
  expect(rightsOf(['statistics', 'parcels'], text => `(${text})`)).toEqual([
    '(Orders and shipments) · (Standard)',
    '(Statistics) · (Standard)',
  ])
  expect(rightsOf(keyScopes, text => text)).toHaveLength(keyScopes.length)
})
