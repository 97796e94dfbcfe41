/** Cells with several items, as exports write them. */
import { describe, expect, it } from 'vitest'
import { measureCpu } from '#test/cpu-cost.ts'
import { itemsOf, listOf } from './item-cells.rules.ts'

const short = (cell: string) => itemsOf(cell)?.map(item => [item.qty, item.sku, item.name, item.price].filter(Boolean).join(' ')) ?? null

describe('a cell with items', () => {
  it.each([
    ['2 x MUG-01, 1 x CUP-02', ['2 MUG-01', '1 CUP-02']],
    ['2x Mug, blue; 1x Cup', ['2 Mug, blue', '1 Cup']],
    ['2x Mug (MUG-01)\n1x Cup [CUP-02]', ['2 MUG-01 Mug', '1 CUP-02 Cup']],
    ['MUG-01 x 2 | CUP-02 x 1', ['2 MUG-01', '1 CUP-02']],
    ['MUG-01:2;CUP-02:1', ['2 MUG-01', '1 CUP-02']],
    ['Mug (2), Cup (1)', ['2 Mug', '1 Cup']],
    ['Mug × 2, Cup × 1', ['2 Mug', '1 Cup']],
    ['2 stk. MUG-01 Krus / 1 stk. CUP-02 Kop', ['2 MUG-01 Krus', '1 CUP-02 Kop']],
    ['3 MUG-01', null],
    ['12 x MUG-01', ['12 MUG-01']],
    ['name:Mug|sku:MUG-01|quantity:2|total:25.00;name:Cup|sku:CUP-02|quantity:1|total:7.50', ['2 MUG-01 Mug 12.5', '1 CUP-02 Cup 7.5']],
    ['[{"sku":"MUG-01","name":"Mug","quantity":2,"price":"12.50"}]', ['2 MUG-01 Mug 12.5']],
    [
      'Product ID: 7, Product Qty: 2, Product SKU: MUG-01, Product Name: Mug, blue, Product Unit Price: 80.00|Product ID: 8, Product Qty: 1, Product SKU: CUP-02, Product Name: Cup',
      ['2 MUG-01 Mug, blue 80', '1 CUP-02 Cup'],
    ],
    ['[{"sku":"MUG-01"}]', null],
    ['Mug', null],
    ['Mug, Cup', null],
    ['2x Mug, and a cup', ['2 Mug, and a cup']],
    ['USB cable 2 m', null],
    ['4x4 tyre', null],
    ['', null],
  ])('%j is %j', (cell, items) => {
    expect(short(cell)).toEqual(items)
  })

  it('is read in time that grows with its length', () => {
    const effort = (count: number) =>
      Math.min(
        ...[1, 2, 3].map(() => {
          const measured = measureCpu()
          for (const cell of [
            ' '.repeat(count),
            '2x a'.repeat(count / 4),
            `${'x 2 '.repeat(count / 8)};`.repeat(2),
            '('.repeat(count),
            `1x ${' a'.repeat(count / 2)}`,
          ])
            itemsOf(`Mug${cell}`)
          return measured()
        }),
      )
    effort(4_000)
    expect(effort(16_000)).toBeLessThan(Math.max(effort(4_000) * 8, 20))
  })

  it('may hold values under each other', () => {
    expect(listOf('MUG-01\nCUP-02')).toEqual(['MUG-01', 'CUP-02'])
    expect(listOf('2 | 1')).toEqual(['2', '1'])
    expect(listOf('1.000,50')).toEqual(['1.000,50'])
  })

  it('reads the price of a piece behind its name, with or without the sum', () => {
    const mug = { sku: 'MUG-01', name: 'Mug, blue', qty: '2', price: '12.5' }
    expect(itemsOf('2 x Mug, blue [MUG-01]  á 12,50 € (25,00 €)')).toEqual([mug])
    expect(itemsOf('2x Mug, blue (MUG-01) @ £12.50')).toEqual([mug])
    expect(itemsOf('1 x Table à 1.020,00 kr.')).toEqual([{ sku: '', name: 'Table', qty: '1', price: '1020' }])
    expect(itemsOf('2 x Vitamin a 12')).toEqual([{ sku: '', name: 'Vitamin a 12', qty: '2', price: '' }])
  })

  it('divides items at plus signs between blanks', () => {
    expect(itemsOf('2 stk. Krus, blåt + 1 stk. Kande')?.map(({ name, qty }) => [name, qty])).toEqual([
      ['Krus, blåt', '2'],
      ['Kande', '1'],
    ])
  })

  it('reads numbers and quantities with blanks alone between them', () => {
    const items = [
      { sku: 'MUG-01', name: '', qty: '2', price: '' },
      { sku: 'CUP-02', name: '', qty: '1', price: '' },
    ]
    expect(itemsOf('MUG-01 x 2 CUP-02 x 1')).toEqual(items)
    expect(itemsOf('2x MUG-01 1x CUP-02')).toEqual(items)
  })
})
