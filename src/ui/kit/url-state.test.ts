import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { hrefOf, parseSearch, readUrl, searchAfter, stringifySearch } from './url-state.ts'

const View = z.object({
  query: z.string().default(''),
  state: z.array(z.enum(['new', 'ready'])).default([]),
  page: z.coerce.number().int().min(1).default(1),
})

describe('the address', () => {
  it('is read by a schema, field by field', () => {
    expect(readUrl(View, '?query=100023&state=new&state=ready&page=3')).toEqual({ query: '100023', state: ['new', 'ready'], page: 3 })
  })

  it('takes one value of a list', () => {
    expect(readUrl(View, '?state=new').state).toEqual(['new'])
  })

  it('reads what does not fit as the default and leaves the rest', () => {
    expect(readUrl(View, '?page=-4&state=gone&query=x')).toEqual({ query: 'x', state: [], page: 1 })
  })

  it('keeps digits as text where text is wanted', () => {
    expect(parseSearch('?id=00042')).toEqual({ id: '00042' })
  })

  it('leaves empty values out', () => {
    expect(stringifySearch({ query: '', page: undefined, id: null })).toBe('')
    expect(hrefOf('/parcels/orders', { id: 7, state: ['new', 'ready'] })).toBe('/parcels/orders?id=7&state=new&state=ready')
  })

  it('of a link keeps what the address says already, and says no default', () => {
    const Lists = View.extend({ id: z.coerce.number().default(0) })
    const state = readUrl(Lists, '?query=x&state=new&page=3')
    expect(searchAfter(Lists, state, { id: 7 })).toEqual({ query: 'x', state: ['new'], page: 3, id: 7 })
    expect(searchAfter(Lists, { ...state, id: 7 }, { id: 0 })).toEqual({ query: 'x', state: ['new'], page: 3 })
    expect(searchAfter(Lists, readUrl(Lists, ''), { id: 7 })).toEqual({ id: 7 })
  })
})
