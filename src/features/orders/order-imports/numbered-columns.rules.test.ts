/** Columns that repeat for each item of an order are followed as long as their quantity is there. */
import { expect, it } from 'vitest'
import { furtherItems } from './numbered-columns.rules.ts'

it('follow the first set, number by number', () => {
  const headers = ['No', 'Item 1', 'Qty 1', 'Item 2', 'Qty 2', 'Item 3', 'Qty 3', 'Item 5', 'Qty 5']
  const columns = { No: 'order_no', 'Item 1': 'name', 'Qty 1': 'qty' } as const
  expect(furtherItems({ columns }, headers).map(set => [...set])).toEqual([
    [
      [1, 3],
      [2, 4],
    ],
    [
      [1, 5],
      [2, 6],
    ],
  ])
})

it('leave empty what a set has no column for', () => {
  const columns = { 'Item 1': 'name', 'Price 1': 'unit_price_incl_vat', 'Qty 1': 'qty' } as const
  expect(furtherItems({ columns }, ['Item 1', 'Price 1', 'Qty 1', 'Item 2', 'Qty 2']).map(set => set.get(1))).toEqual([-1])
})

it('are none where the quantity has no number, or where the others mean something else', () => {
  expect(furtherItems({ columns: { 'Item 1': 'name', Qty: 'qty' } }, ['Item 1', 'Qty', 'Item 2'])).toEqual([])
  expect(furtherItems({ columns: { 'Qty 1': 'qty', 'Qty 2': 'note' } }, ['Qty 1', 'Qty 2'])).toEqual([])
})
