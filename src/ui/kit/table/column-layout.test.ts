import { describe, expect, it } from 'vitest'
import { type ColumnContent, layOutColumns } from './column-layout.ts'

const column = (key: string, content: number, flex = 0, dragged?: number): ColumnContent => ({ key, content, title: 40, flex, dragged })
const laidOut = (columns: ColumnContent[], available: number, scrolls = false) => {
  const { widths, left_out } = layOutColumns(columns, available, scrolls)
  return { ...Object.fromEntries(widths), ...(left_out.length > 0 && { left_out }) }
}

describe('the width of a column', () => {
  it('is what it holds, in steps of eight pixels, between 56 and 320', () => {
    expect(laidOut([column('id', 81), column('items', 20), column('codes', 900)], 464)).toEqual({ id: 88, items: 56, codes: 320 })
  })

  it('is never less than its title', () => {
    expect(laidOut([{ ...column('name', 300, 1), title: 150 }, column('id', 80)], 100, true)).toEqual({ name: 152, id: 80 })
  })

  it('is what the person dragged it to', () => {
    expect(laidOut([column('id', 81, 0, 300), column('name', 500, 1)], 500)).toEqual({ id: 300, name: 200 })
  })

  it('takes its share of the spare width only where it flexes', () => {
    expect(laidOut([column('id', 80), column('name', 200, 2), column('place', 100, 1)], 990)).toEqual({ id: 80, name: 604, place: 306 })
  })

  it('is first what a flexible column holds, before any has more than that', () => {
    expect(laidOut([column('name', 400, 1), column('place', 104, 1)], 504)).toEqual({ name: 400, place: 104 })
  })
})

describe('too little space', () => {
  const columns = [column('id', 80), column('name', 400, 1), column('state', 120), column('shop', 120)]

  it('cuts what flexes before it leaves anything out', () => {
    expect(laidOut(columns, 424)).toEqual({ id: 80, name: 104, state: 120, shop: 120 })
  })

  it('leaves the last columns out, and gives their width to the others', () => {
    expect(laidOut(columns, 400)).toEqual({ id: 80, name: 200, state: 120, left_out: ['shop'] })
    expect(laidOut(columns, 60)).toEqual({ id: 80, left_out: ['name', 'state', 'shop'] })
  })

  it('shows all of them where the list may be scrolled sideways', () => {
    expect(laidOut(columns, 300, true)).toEqual({ id: 80, name: 104, state: 120, shop: 120 })
  })
})
