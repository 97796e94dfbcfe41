/** Rows become an order, or a reason why not for each of them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interpolate } from '#contract/errors.ts'
import type { Row } from '#domain/csv-text.ts'
import { Mapping, type WrittenMapping } from './mapping.rules.ts'
import { rowReader } from './order-rows.rules.ts'

const headers = ['no', 'date', 'customer', 'country', 'code', 'what', 'count', 'price']
const base: WrittenMapping = {
  columns: {
    no: 'order_no',
    date: 'ordered_at',
    customer: 'customer_no',
    country: 'ship_country',
    code: 'sku',
    what: 'name',
    count: 'qty',
    price: 'unit_price_excl_vat',
  },
  constants: { currency: 'GBP' },
  dates: 'mdy',
  conflicts: 'first',
  repeated: 'add',
  cancellation_prefix: 'C',
  zero_price: 'leave_out',
  no_description: 'leave_out',
  non_products: [
    { sku: 'POST', becomes: 'shipping' },
    { sku: 'D', becomes: 'discount' },
    { sku: 'S', becomes: 'left_out' },
  ],
}
const good = ['1', '12-01-2010 08:26', '17850', 'United Kingdom', 'A1', 'Mug', '2', '2.55']
const rowsOf = (...cells: string[][]): Row[] => cells.map((row, index) => ({ row: index + 2, cells: row }))
const but = (...changes: [place: number, value: string][]) => good.map((cell, place) => changes.find(([at]) => at === place)?.[1] ?? cell)
const read = (rows: string[][], over: Partial<WrittenMapping> = {}) =>
  rowReader(headers, Mapping.parse({ ...base, ...over })).toCanonical(rowsOf(...rows))
const messagesOf = (reading: ReturnType<typeof read>) =>
  reading.problems.map(problem => `${problem.row} ${problem.severity} ${problem.code}: ${interpolate(problem.text, problem.values)}`)

describe('the rows of an order', () => {
  it('become an order', () => {
    const { order } = read([good, but([4, 'B2'], [6, '3'])])
    expect(order).toMatchObject({
      order_no: '1',
      external_id: '1',
      source: 'csv',
      ordered_at: '2010-12-01T08:26:00.000Z',
      currency: 'GBP',
      customer: { external_id: '17850' },
      ship_to: { country: 'GB' },
    })
    expect(order?.lines.map(line => [line.sku, line.qty, line.unit_price_excl_vat])).toEqual([
      ['A1', '2', '2.55'],
      ['B2', '3', '2.55'],
    ])
  })

  it('put the lines of a street in one cell on the two lines of the address', () => {
    const columns = { ...base.columns, customer: 'ship_address1' as const }
    expect(read([but([2, 'Road 1\nFlat 3\nGate 2'])], { columns }).order?.ship_to).toMatchObject({
      address1: 'Road 1',
      address2: 'Flat 3, Gate 2',
    })
    expect(read([but([2, 'Road 1<br>Flat 3'])], { columns }).order?.ship_to).toMatchObject({ address1: 'Road 1', address2: 'Flat 3' })
  })

  it.each<[string, string[], string]>([
    ['a fraction', but([6, '1.5']), '2 refused quantity_not_whole: Quantity 1.5 is not a whole number'],
    ['a negative quantity', but([6, '-3']), '2 refused negative_quantity: Quantity -3 is negative'],
    ['a bad quantity', but([6, 'two']), '2 refused bad_number: qty: “two” is no number with the chosen decimal sign'],
    ['no quantity', but([6, '']), '2 refused missing_field: qty is empty'],
    ['a bad price', but([7, '2,55']), '2 refused bad_number: unit_price_excl_vat: “2,55” is no number with the chosen decimal sign'],
    [
      'a bad date',
      but([1, '31-12-2010']),
      '2 refused bad_date: ordered_at: “31-12-2010” is no date of the chosen order of day, month and year',
    ],
    ['no known country', but([3, 'Unspecified']), '2 refused unknown_country: ship_country: “Unspecified” is no country that is known'],
    ['no country', but([3, '']), '2 refused missing_field: ship_country is empty'],
    ['no order number', but([0, '']), '2 refused missing_field: order_no is empty'],
    ['no description', but([5, '']), '2 refused no_description: The row has no description'],
    ['a price of zero', but([7, '0.00']), '2 refused zero_price: The price is zero'],
    ['only charges', but([4, 'POST']), '2 refused nothing_to_pack: Order 1 has nothing that can be packed'],
    ['too long a SKU', but([4, 'x'.repeat(65)]), '2 refused bad_value: Line 1: sku is longer than 64 characters'],
  ])('are refused with %s', (_, row, message) => {
    const reading = read([row])
    expect(reading).toMatchObject({ outcome: 'refused', order: null })
    expect(messagesOf(reading)).toContain(message)
  })

  it('are refused whole where one of them has more cells than the header has columns', () => {
    const reading = read([good, [...good, '50'], [...good, '', ' ']])
    expect(messagesOf(reading).toSorted()).toEqual([
      '2 refused order_refused: Row 3 of the same order was rejected',
      '3 refused too_many_cells: The row has 9 cells under 8 columns: a separator or a quotation mark in it is wrong',
      '4 refused order_refused: Row 3 of the same order was rejected',
    ])
  })

  it('leave out a row without description or price where other rows are good', () => {
    const reading = read([good, but([4, 'B'], [5, '']), but([4, 'C'], [7, '0'])])
    expect(reading.order?.lines).toHaveLength(1)
    expect(messagesOf(reading)).toEqual([
      '3 left_out no_description: The row has no description',
      '4 left_out zero_price: The price is zero',
    ])
  })

  it('keep them where the mapping says so', () => {
    const { order } = read([but([5, ''], [7, '0'])], { zero_price: 'keep', no_description: 'keep' })
    expect(order?.lines[0]).toMatchObject({ name: 'A1', unit_price_excl_vat: '0' })
  })

  it('all go back when one of them is refused, so that the mended file holds the whole order', () => {
    const reading = read([good, but([4, 'B'], [6, 'x']), but([4, 'C'])])
    expect(messagesOf(reading).toSorted()).toEqual([
      '2 refused order_refused: Row 3 of the same order was rejected',
      '3 refused bad_number: qty: “x” is no number with the chosen decimal sign',
      '4 refused order_refused: Row 3 of the same order was rejected',
    ])
  })

  it('of a cancellation are skipped in words', () => {
    const reading = read([but([0, 'C1'], [6, '-1']), but([0, 'C1'], [4, 'D'], [6, '-1'])])
    expect(reading.outcome).toBe('skipped')
    expect(messagesOf(reading)).toEqual([
      '2 skipped cancellation: Order C1 is a cancellation: it was left out',
      '3 skipped cancellation: Order C1 is a cancellation: it was left out',
    ])
  })

  it('are no cancellation for their letter alone', () => {
    expect(read([but([0, 'C1'])]).outcome).toBe('order')
  })

  it('take charges as what they are, discounts backwards', () => {
    const reading = read([good, but([4, 'post'], [7, '18']), but([4, 'D'], [6, '-1'], [7, '27.5']), but([4, 'S'])])
    expect(reading.order?.lines.map(line => [line.type, line.qty, line.unit_price_excl_vat])).toEqual([
      ['item', '2', '2.55'],
      ['shipping', '2', '18'],
      ['discount', '1', '-27.5'],
    ])
    expect(messagesOf(reading)).toEqual([
      '3 noted not_a_product: post is no product: it was taken as shipping',
      '4 noted not_a_product: D is no product: it was taken as discount',
      '5 left_out left_out: S is no product: it was left out',
    ])
  })

  it('add up the same product at the same price, whatever the case of its SKU', () => {
    expect(read([good, but([4, 'a1'], [6, '3']), but([7, '1.00'])]).order?.lines.map(line => line.qty)).toEqual(['5', '2'])
    expect(read([good, good], { repeated: 'keep' }).order?.lines.map(line => line.qty)).toEqual(['2', '2'])
  })

  it('that differ in what belongs to the order are noted or refused, as the mapping says', () => {
    const rows = [good, but([1, '12-01-2010 08:27'])]
    const first = read(rows)
    expect(first.order?.ordered_at).toBe('2010-12-01T08:26:00.000Z')
    expect(messagesOf(first)).toEqual([
      '3 noted conflicting_field: ordered_at 12-01-2010 08:27 differs from 12-01-2010 08:26 in row 2 of the same order',
    ])
    expect(read(rows, { conflicts: 'refuse' }).outcome).toBe('refused')
    expect(read([good, but([1, '']), but([2, ''])], { conflicts: 'refuse' }).outcome).toBe('order')
  })

  it('without a customer are an order of a guest', () => {
    const reading = read([but([2, ''])])
    expect(reading.order?.customer?.external_id).toBeNull()
    expect(messagesOf(reading)).toEqual(['2 noted no_customer: Order 1 names no customer: it was taken as an order of a guest'])
  })

  it('get constants where a column or a cell is missing', () => {
    const { order } = read([but([3, '']), but([4, 'B'], [3, ''])], {
      constants: { currency: 'DKK', ship_country: 'Denmark', ship_name: 'Desk', shop: 'dk', tags: 'a;b' },
    })
    expect(order).toMatchObject({ shop: 'dk', currency: 'DKK', tags: ['a', 'b'], ship_to: { country: 'DK', name: 'Desk' } })
  })

  it('get invented addresses and barcodes when asked to, the same each time', () => {
    const invent = { addresses: true, products: true }
    const { order } = read([good], { invent })
    expect(order?.ship_to).toMatchObject({ name: 'Sample Customer 1', city: 'Sampleton' })
    expect(order?.lines[0]?.barcode).toMatch(/^2\d{12}$/)
    expect(read([good], { invent }).order).toEqual(order)
    expect(read([good]).order?.ship_to.address1).toBe('')
  })

  it('drop a barcode that a spreadsheet has rounded, and say so', () => {
    const reading = rowReader(
      ['no', 'bar', 'what', 'count'],
      Mapping.parse({
        columns: { no: 'order_no', bar: 'barcode', what: 'name', count: 'qty' },
        constants: { currency: 'DKK', ship_country: 'DK' },
      }),
    ).toCanonical(rowsOf(['1', '5,70123E+12', 'Mug', '1']))
    expect(reading.order?.lines[0]?.barcode).toBeNull()
    expect(reading.problems[0]).toMatchObject({ code: 'bad_barcode', severity: 'noted', column: 'bar' })
  })

  it('never throw and always account for every row, whatever the cells hold', () => {
    const reader = rowReader(headers, Mapping.parse(base))
    const cell = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '-1', '0', '1', '1.5', 'POST', 'D', 'C1', '12-01-2010', 'Denmark', '=1+1'),
    )
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 9 }), { minLength: 1, maxLength: 5 }), rows => {
        const reading = reader.toCanonical(rowsOf(...rows))
        if (reading.outcome === 'order') expect(reading.problems.every(problem => problem.severity !== 'refused')).toBe(true)
        else
          expect(new Set(reading.problems.filter(problem => problem.severity !== 'noted').map(problem => problem.row)).size).toBe(
            rows.length,
          )
        for (const { text, values } of reading.problems)
          for (const [, name] of text.matchAll(/\{\{(\w+)\}\}/g)) expect(values).toHaveProperty(name!)
      }),
      { numRuns: 1_000 },
    )
  })

  it('report a line id that stands twice at the column of the line, and a customer number at its own', () => {
    const reader = rowReader(
      ['no', 'id', 'line', 'what', 'count', 'customer'],
      Mapping.parse({
        columns: { no: 'order_no', id: 'external_id', line: 'line_id', what: 'name', count: 'qty', customer: 'customer_no' },
        constants: { currency: 'DKK', ship_country: 'DK' },
      }),
    )
    const twice = reader.toCanonical(rowsOf(['1', 'a', '7', 'Mug', '1', '5'], ['1', 'a', '7', 'Cup', '1', '5']))
    expect(twice.problems.find(problem => problem.code === 'bad_value')).toMatchObject({ row: 3, field: 'line_id', column: 'line' })
    const long = reader.toCanonical(rowsOf(['1', 'a', '7', 'Mug', '1', 'c'.repeat(101)]))
    expect(long.problems[0]).toMatchObject({ code: 'bad_value', field: 'customer_no', column: 'customer' })
  })

  it('of one number and two ids are refused: they are two orders, and none may vanish in the other', () => {
    const reader = rowReader(
      ['no', 'id', 'what', 'count'],
      Mapping.parse({
        columns: { no: 'order_no', id: 'external_id', what: 'name', count: 'qty' },
        constants: { currency: 'DKK', ship_country: 'DK' },
        conflicts: 'first',
      }),
    )
    const reading = reader.toCanonical(rowsOf(['1', 'a', 'Mug', '1'], ['1', '', 'Cup', '1'], ['1', 'b', 'Bowl', '1']))
    expect(reading.outcome).toBe('refused')
    expect(messagesOf(reading)[0]).toBe('4 refused conflicting_field: external_id b differs from a in row 2 of the same order')
    expect(reader.toCanonical(rowsOf(['1', '', 'Mug', '1'], ['1', 'a', 'Cup', '1'])).order).toMatchObject({ external_id: 'a' })
  })
})
