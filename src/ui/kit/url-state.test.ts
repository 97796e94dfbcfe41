import { describe, expect, it } from 'vitest'
import { urlChoice, urlChoices, urlNumber, urlNumbers, urlText, urlTexts } from './url-fields.ts'
import { hrefOf, parseSearch, readUrl, searchAfter, stringifySearch } from './url-state.ts'

const View = { query: urlText(), state: urlChoices(['new', 'ready']), page: urlNumber(1) }

describe('the address', () => {
  it('is read field by field', () => {
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
    const Lists = { ...View, id: urlNumber(0) }
    const state = readUrl(Lists, '?query=x&state=new&page=3')
    expect(searchAfter(Lists, state, { id: 7 })).toEqual({ query: 'x', state: ['new'], page: 3, id: 7 })
    expect(searchAfter(Lists, { ...state, id: 7 }, { id: 0 })).toEqual({ query: 'x', state: ['new'], page: 3 })
    expect(searchAfter(Lists, readUrl(Lists, ''), { id: 7 })).toEqual({ id: 7 })
  })

  it('takes whole numbers within their bounds', () => {
    const Numbers = { count: urlNumber(50, { least: 1, most: 500 }), ids: urlNumbers(1) }
    expect(readUrl(Numbers, '?count=500&ids=1&ids=2')).toEqual({ count: 500, ids: [1, 2] })
    for (const text of ['0', '501', '1.5', 'x', '']) expect(readUrl(Numbers, `?count=${text}`).count, text).toBe(50)
    expect(readUrl(Numbers, '?ids=1&ids=0').ids).toEqual([])
  })

  it('takes one of the choices, and several texts only for a list', () => {
    const Choices = { tab: urlChoice(['a', 'b'], 'a'), name: urlText('x'), tags: urlTexts() }
    expect(readUrl(Choices, '?tab=b&name=&tags=1&tags=2')).toEqual({ tab: 'b', name: '', tags: ['1', '2'] })
    expect(readUrl(Choices, '?tab=c&name=1&name=2')).toEqual({ tab: 'a', name: 'x', tags: [] })
  })
})
