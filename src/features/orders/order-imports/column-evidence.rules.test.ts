/** What stands in the cells decides where names of columns do not, and nothing of a file is left out or taken for certain without a word. */
import { describe, expect, it } from 'vitest'
import { Mapping, mappingProblems } from './mapping.rules.ts'
import { rowReader } from './order-rows.rules.ts'
import { suggestMapping } from './suggested-mapping.rules.ts'
import { unusedColumns } from './unused-columns.rules.ts'

const fileOf = (headers: string, ...rows: string[]) => {
  const names = headers.split('|')
  const cells = rows.map(row => row.split('|'))
  const { mapping, doubts } = suggestMapping(names, cells, { currency: 'DKK', country: 'DK' })
  const reader = rowReader(names, mapping)
  const orders = new Map<string, { row: number; cells: string[] }[]>()
  for (const [at, row] of cells.entries()) {
    const key = reader.keyOf(row)
    orders.set(key, [...(orders.get(key) ?? []), { row: at + 2, cells: row }])
  }
  return {
    columns: mapping.columns,
    mapping,
    readings: [...orders.values()].map(reader.toCanonical),
    doubts: doubts.map(({ field, text, values }) => `${field}: ${text.slice(0, 40)} ${values.column ?? ''}`.trim()),
    doubted: (field: string) => doubts.some(doubt => doubt.field === field),
    unused: unusedColumns(mapping, names, cells),
  }
}

describe('the cells of a file', () => {
  it('pass over a number of orders that is often empty, and over one that only a database knows', () => {
    expect(fileOf('Order Id|PO number|SKU|Qty', '11|PO-7|MUG-1|1', '12||MUG-1|2', '13||MUG-1|1').columns).toMatchObject({
      'Order Id': 'order_no',
    })
    const id = '5f0c2f1e-0000-4a11-9000-00000000000'
    expect(fileOf('Order Id|Reference|SKU|Qty', `${id}1|R-1|MUG-1|1`, `${id}2|R-2|CUP-2|2`).columns).toMatchObject({
      Reference: 'order_no',
    })
  })

  it('take what is still to be sent as the quantity where it differs from what was ordered, and say so', () => {
    const partly = fileOf('Order no|SKU|Quantity|Quantity to ship', '1|MUG-1|3|2', '2|CUP-2|1|1')
    expect(partly.columns).toMatchObject({ 'Quantity to ship': 'qty' })
    expect(partly.doubted('qty')).toBe(true)
    expect(fileOf('Order no|SKU|Quantity|Quantity to ship', '1|MUG-1|3|3', '2|CUP-2|1|1').columns).toMatchObject({ Quantity: 'qty' })
  })

  it('pass over a number that is the same for several recipients, and prefer the number that people see to the one inside it', () => {
    const head = 'Order code|Order id|Name|Zip|SKU|Qty'
    expect(fileOf(head, '1|57|Ann|1000|M-1|1', '1|57|Ann|1000|C-2|1', '1|58|Bo|2000|M-1|1').columns).toMatchObject({
      'Order id': 'order_no',
    })
    const seen = fileOf('Order number|Order number formatted|SKU|Qty', '7|WC-7|M-1|1', '8|WC-8|M-1|1')
    expect(seen.columns).toMatchObject({ 'Order number formatted': 'order_no' })
  })

  it('separate the price of a piece from sums of lines and of orders, which change for the same product', () => {
    const head = 'Order no|SKU|Qty|Product price|Item price|Line price'
    expect(fileOf(head, '1|M-1|2|45.00|12.50|25.00', '1|C-2|1|45.00|20.00|20.00', '2|M-1|1|12.50|12.50|12.50').columns).toMatchObject({
      'Item price': 'unit_price_excl_vat',
    })
  })

  it('show the kinds of rows, rates of VAT as fractions, and variants that are named as codes', () => {
    const head = 'Order no|Item type|SKU|Item name|Variant code|Qty|VAT rate'
    const { columns, readings } = fileOf(head, '1|Product|M-1|Mug|Blue|2|0.25', '1|Shipping||GLS||1|0.25')
    expect(columns).toMatchObject({ 'Item type': 'line_type', 'Variant code': 'variant', 'VAT rate': 'vat_percent' })
    expect(readings[0]?.order?.lines).toMatchObject([
      { type: 'item', variant: 'Blue', vat_percent: '25' },
      { type: 'shipping', vat_percent: '25' },
    ])
    expect(fileOf(head, '1|Simple|M-1|Mug|B-2|2|0.25').columns).not.toHaveProperty(['Item type'])
  })

  it('show that a second line of an address is the number of the building, and that three names are a company and a person', () => {
    const head =
      'Order no|Delivery name 1|Delivery name 2|Delivery name 3|Delivery address 1|Delivery address 2|Delivery zip|Delivery city|SKU|Qty'
    const found = fileOf(head, '1||Ann|Lee|Road|5 b|1000|X|M-1|1', '2|Lee Ltd|Bo|Lee|Way|7|2000|Y|M-1|1')
    expect(found.columns).toMatchObject({ 'Delivery address 2': 'ship_street_number', 'Delivery name 1': 'ship_company' })
    expect(found.readings[0]?.order?.ship_to).toMatchObject({ name: 'Ann Lee', company: null, address1: 'Road 5 b' })
    expect(fileOf(head, '1|Ann Lee|||Road 5|2|1000|X|M-1|1').columns).toMatchObject({ 'Delivery address 2': 'ship_address2' })
  })

  it('say that recipients have no name where a column of companies alone names some of them', () => {
    const head = 'Order no|Company|Address|Zip|City|SKU|Qty'
    expect(fileOf(head, '1||Road 1|1000|X|M-1|1', '2|Lee Ltd|Way 2|2000|Y|M-1|1').doubted('ship_name')).toBe(true)
    expect(fileOf(head, '1|Bo Ltd|Road 1|1000|X|M-1|1', '2|Lee Ltd|Way 2|2000|Y|M-1|1').doubted('ship_name')).toBe(false)
  })

  it('leave out the variant that repeats its product at a price of zero, where a column names the parent row, and say so', () => {
    const head = 'Order no|Item id|Parent item id|SKU|Item name|Qty|Price'
    const product = ['1|7||M-1|Mug|2|12.50', '1|8|7|M-1|Mug blue|2|0.00', '2|9|0|C-2|Cup|1|20.00']
    const { readings } = fileOf(head, ...product)
    expect(readings[0]?.order?.lines.map(({ sku, qty }) => [sku, qty])).toEqual([['M-1', '2']])
    expect(readings[0]?.problems.map(({ code }) => code)).toContain('zero_price')
    // A piece that is given away has no parent.
    expect(fileOf(head, ...product, '3|10||C-2|Cup|1|0.00').readings[0]?.order?.lines).toHaveLength(2)
    expect(fileOf(head.replace('Parent', 'Other'), ...product).readings[0]?.order?.lines).toHaveLength(2)
  })

  it('never take pieces that were sent, taken back or billed already as the quantity', () => {
    expect(fileOf('Order no|SKU|Qty shipped|Qty refunded', '1|MUG-1|3|1').columns).toEqual({ 'Order no': 'order_no', SKU: 'sku' })
  })

  it('show whether a name is the product’s or the recipient’s', () => {
    const head = 'Order no|Name|Address|Zip|City|SKU|Qty'
    expect(fileOf(head, '1|Mug|Road 1|1000|X|M-1|1', '1|Cup|Road 1|1000|X|C-2|1', '2|Cup|Way 2|2000|Y|C-2|1').columns.Name).toBe('name')
    expect(fileOf(head, '1|Ann|Road 1|1000|X|M-1|1', '1|Ann|Road 1|1000|X|C-2|1', '2|Bo|Way 2|2000|Y|C-2|1').columns.Name).toBe('ship_name')
  })

  it('bear out a number of products whose name is vague, or leave it in doubt, or show that it is none', () => {
    const head = 'Order no|Reference|Product|Qty'
    const sure = fileOf(head, '1|M-1|Mug|1', '2|C-2|Cup|1', '3|C-2|Cup|4')
    expect([sure.columns.Reference, sure.doubted('sku')]).toEqual(['sku', false])
    const thin = fileOf(head, '1|M-1|Mug|1', '2|C-2|Cup|1')
    expect([thin.columns.Reference, thin.doubted('sku')]).toEqual(['sku', true])
    expect(fileOf(head, '1|R-1|Mug|1', '2|R-2|Mug|1', '3|R-3|Cup|4').columns.Reference).toBeUndefined()
  })

  it('show that a weight is the parcel’s where it is the same on all lines of an order', () => {
    const head = 'Order no|SKU|Qty|Weight'
    expect(fileOf(head, '1|M-1|2|1.05', '1|C-2|1|1.05', '2|C-2|1|0.25').columns.Weight).toBeUndefined()
    expect(fileOf(head, '1|M-1|2|0.40', '1|C-2|1|0.25', '2|C-2|1|0.25').columns.Weight).toBe('weight_kg')
  })

  it('warn when lines do not come to the total of their order', () => {
    const head = 'Order no|SKU|Qty|Unit price|Order total'
    expect(fileOf(head, '1|M-1|2|10.00|24.90', '2|C-2|1|8.00|12.90').doubts.join()).not.toContain('do not come')
    expect(fileOf(head, '1|M-1|2|100.00|24.90', '2|C-2|1|80.00|12.90').doubts.join()).toContain('unit_price_excl_vat: The prices in')
  })
})

describe('a name that is known in part', () => {
  it('is taken with a doubt that a person has to confirm', () => {
    const file = fileOf('Order no|Sticker code|Some qty|Product', '1|M-1|3|Mug', '2|C-2|4|Cup')
    expect(file.columns).toMatchObject({ 'Some qty': 'qty' })
    expect(file.doubts).toContain('qty: {{column}} is taken for {{field}}, but i Some qty')
  })

  it('is not taken where a word turns it around', () => {
    expect(fileOf('Order no|Supplier price|Cost price|VAT code|SKU|Qty', '1|5.00|6.00|3|M-1|2').columns).toEqual({
      'Order no': 'order_no',
      SKU: 'sku',
      Qty: 'qty',
    })
  })

  it('is read without the beginning that all names share', () => {
    expect(fileOf('XYORDERNR|XYARTNR|XYTITLE|XYQTY|XYPRICE', '1|M-1|Mug|2|5.00').columns).toMatchObject({
      XYORDERNR: 'order_no',
      XYARTNR: 'sku',
      XYQTY: 'qty',
      XYPRICE: 'unit_price_excl_vat',
    })
  })
})

describe('a column that is left out', () => {
  it('is named with what it seems to hold', () => {
    const { unused } = fileOf('Order no|SKU|Qty|Points|Margin|Checked|Empty|Colleague', '1|M-1|2|40|12.50|2026-11-10||Ole')
    expect(unused).toEqual([
      { column: 'Points', holds: 'numbers' },
      { column: 'Margin', holds: 'amounts' },
      { column: 'Checked', holds: 'dates' },
      { column: 'Colleague', holds: 'texts' },
    ])
  })
})

describe('rows that are cancelled', () => {
  const head = 'Order no|Status|SKU|Qty'
  it('are skipped: whole orders, and single lines of an order', () => {
    const { mapping, readings } = fileOf(head, '1|New|M-1|2', '1|Cancelled|C-2|1', '2|Cancelled|C-2|1')
    expect(mapping.cancelled).toEqual({ column: 'Status', values: ['Cancelled'] })
    expect(readings.map(({ outcome, order }) => [outcome, order?.lines.length])).toEqual([
      ['order', 1],
      ['skipped', undefined],
    ])
    expect(readings.flatMap(({ problems }) => problems).filter(({ code }) => code === 'cancelled_row')).toMatchObject([
      { row: 3, severity: 'skipped' },
      { row: 4, severity: 'skipped' },
    ])
  })

  it('are known by a column that is named for it, whatever stands in it', () => {
    const { mapping, readings } = fileOf('Order no|Cancelled at|SKU|Qty', '1||M-1|2', '2|2026-11-10|C-2|1', '3|0|C-2|1')
    expect(mapping.cancelled).toEqual({ column: 'Cancelled at', values: [] })
    expect(readings.map(({ outcome }) => outcome)).toEqual(['order', 'skipped', 'order'])
  })

  it('need their column in each file', () => {
    const mapping = Mapping.parse({
      columns: { A: 'order_no', B: 'sku', C: 'qty' },
      constants: { currency: 'DKK', ship_country: 'DK' },
      cancelled: { column: 'Status', values: [] },
    })
    expect(mappingProblems(mapping, ['A', 'B', 'C', 'Status'])).toEqual([])
    expect(mappingProblems(mapping, ['A', 'B', 'C'])).toMatchObject([{ values: { column: 'Status' } }])
  })
})

describe('addresses in one cell', () => {
  const placed = (readings: ReturnType<typeof fileOf>['readings']) =>
    readings.map(({ order }) => order && [order.ship_to.address1, order.ship_to.postcode, order.ship_to.city, order.ship_to.country])

  it('are split, and the split is said', () => {
    const { readings, doubted } = fileOf(
      'Order no|Name|Address|SKU|Qty',
      '1|Lene|Prøvevej 5, 5000 Odense C, Danmark|M-1|1',
      '2|Max|Testweg 3a, 10115 Berlin, Deutschland|M-1|1',
    )
    expect(placed(readings)).toEqual([
      ['Prøvevej 5', '5000', 'Odense C', 'DK'],
      ['Testweg 3a', '10115', 'Berlin', 'DE'],
    ])
    expect(doubted('ship_address1')).toBe(true)
  })

  it('may be postcode and city alone', () => {
    const { readings, doubted } = fileOf('Order no|Name|Address|Zip and city|SKU|Qty', '1|Lene|Prøvevej 5|5000 Odense C|M-1|1')
    expect(placed(readings)).toEqual([['Prøvevej 5', '5000', 'Odense C', 'DK']])
    expect(doubted('ship_city')).toBe(false)
  })

  it.each([
    ['12 Mill Road, York, YO1 7PR, United Kingdom', ['12 Mill Road', 'YO1 7PR', 'York', 'GB']],
    ['12 Mill Road, York YO1 7PR, United Kingdom', ['12 Mill Road', 'YO1 7PR', 'York', 'GB']],
    ['Flat 2, 3 High Street, Bath, BA1 5LR', ['Flat 2', 'BA1 5LR', 'Bath', 'DK']],
  ])('may be British: %s', (address, parts) => {
    const { readings } = fileOf('Order no|Name|Address|SKU|Qty', `1|Ann|${address}|M-1|1`)
    expect(placed(readings)).toEqual([parts])
  })

  it('are missed with a word where no column has them', () => {
    const { doubted } = fileOf('Order no|Name|Address|SKU|Qty', '1|Lene|Prøvevej 5|M-1|1')
    expect([doubted('ship_postcode'), doubted('ship_city')]).toEqual([true, true])
  })
})
