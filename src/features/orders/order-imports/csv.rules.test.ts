/** Files are read as they were meant, and where two readings are possible it is said. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fill } from '#contract/errors.ts'
import {
  cellText,
  detectDates,
  detectDecimals,
  detectSeparator,
  detectText,
  errorHeader,
  errorRow,
  headersOf,
  Mapping,
  mappingProblems,
  type Row,
  readDate,
  readNumber,
  rowReader,
  spreadsheetSafe,
  suggestMapping,
  type WrittenMapping,
} from './csv.rules.ts'

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(parts.flatMap(part => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)))
const utf16 = (text: string, big: boolean) =>
  [...text].flatMap(letter => {
    const code = letter.charCodeAt(0)
    return big ? [code >> 8, code & 255] : [code & 255, code >> 8]
  })

describe('the text of a file', () => {
  it.each([
    ['plain ASCII', bytes('a;b\n1;2'), 'utf-8'],
    ['UTF-8 with a mark', bytes([0xef, 0xbb, 0xbf], 'a;b'), 'utf-8'],
    ['UTF-8 without a mark', bytes('navn;by\nLene;Ærø'), 'utf-8'],
    ['UTF-8 cut within a character', bytes('Ærø').subarray(0, 4), 'utf-8'],
    ['Windows-1252', bytes('navn;by\nLene;', [0xc6, 0x72, 0xf8]), 'windows-1252'],
    ['UTF-16 little end first with a mark', bytes([0xff, 0xfe], utf16('a;b', false)), 'utf-16le'],
    ['UTF-16 big end first with a mark', bytes([0xfe, 0xff], utf16('a;b', true)), 'utf-16be'],
    ['UTF-16 little end first without a mark', bytes(utf16('navn;by\nLene;Ærø', false)), 'utf-16le'],
    ['UTF-16 big end first without a mark', bytes(utf16('navn;by\nLene;Ærø', true)), 'utf-16be'],
    ['nothing', bytes(), 'utf-8'],
  ])('is recognised as %s', (_, file, encoding) => {
    expect(detectText(file)).toBe(encoding)
  })

  it.each([
    ['a;b;c\n1,5;2,5;3', ';'],
    ['a,b,c\n1.5,2,"x;y;z;w"', ','],
    ['a\tb\n1,2\t3,4', '\t'],
    ['a|b\n1|2', '|'],
    ['only one column\nx', ','],
    ['a;b\n"line\nbreak, and, commas";2\n3;4', ';'],
  ])('%j is cut by %j', (text, separator) => {
    expect(detectSeparator(text)).toBe(separator)
  })

  it('has a header whose names all differ', () => {
    expect(headersOf(['\ufeffName', '', 'Name', ' name ', ''])).toEqual(['Name', 'Column 2', 'Name (2)', 'name', 'Column 5'])
  })
})

describe('dates', () => {
  it.each([
    ['12-01-2010 08:26', 'mdy', '2010-12-01T08:26:00.000Z'],
    ['12-01-2010 08:26', 'dmy', '2010-01-12T08:26:00.000Z'],
    ['01.12.2010', 'dmy', '2010-12-01T00:00:00.000Z'],
    ['12/1/10 8:26 PM', 'mdy', '2010-12-01T20:26:00.000Z'],
    ['12/1/2010 12:05 am', 'mdy', '2010-12-01T00:05:00.000Z'],
    ['2026-11-10 10:30', 'ymd', '2026-11-10T10:30:00.000Z'],
    ['2026-11-10T10:30:00', 'iso', '2026-11-10T10:30:00.000Z'],
    ['2026-11-10T10:30:00+01:00', 'dmy', '2026-11-10T09:30:00.000Z'],
    ['20261110', 'ymd', '2026-11-10T00:00:00.000Z'],
    ['31-02-2010', 'dmy', null],
    ['29-02-2024', 'dmy', '2024-02-29T00:00:00.000Z'],
    ['29-02-2023', 'dmy', null],
    ['13-01-2010', 'mdy', null],
    ['12-01-2010 24:00', 'mdy', null],
    ['yesterday', 'dmy', null],
    ['', 'iso', null],
  ] as const)('%j read %s is %s', (text, order, instant) => {
    expect(readDate(text, order, 'UTC')).toBe(instant)
  })

  it('are read on the clock of the shop, summer and winter', () => {
    expect(readDate('2026-01-10 10:30', 'ymd', 'Europe/Copenhagen')).toBe('2026-01-10T09:30:00.000Z')
    expect(readDate('2026-07-10 10:30', 'ymd', 'Europe/Copenhagen')).toBe('2026-07-10T08:30:00.000Z')
    expect(readDate('2026-03-29 02:30', 'ymd', 'Europe/Copenhagen')).toBe('2026-03-29T01:30:00.000Z')
  })

  it.each([
    [['13-01-2010', '02-01-2010'], 'dmy', false],
    [['01-13-2010', '01-02-2010'], 'mdy', false],
    [['2010-12-01'], 'ymd', false],
    [['12-01-2010 08:26', '12-05-2010 16:24'], 'mdy', true],
    [['01-12-2010', '05-12-2010'], 'dmy', true],
    [['12-01-2010'], 'dmy', true],
    [['01-01-2010', '02-02-2010'], 'dmy', false],
    [['2026-11-10T10:30:00Z'], 'iso', false],
    [['', 'n/a'], 'iso', false],
  ] as const)('of a column %j are %s, doubtful: %s', (values, order, doubtful) => {
    expect(detectDates(values)).toMatchObject({ order, doubtful })
  })
})

describe('numbers', () => {
  it.each([
    ['1.000,50', ',', '1000.50'],
    ['1000,5', ',', '1000.5'],
    ['1.000', ',', '1000'],
    ['1.000', '.', '1.000'],
    ['1,000.50', '.', '1000.50'],
    ['1 000,50', ',', '1000.50'],
    ["1'000.50", '.', '1000.50'],
    ['-5', '.', '-5'],
    ['5-', '.', '-5'],
    ['\u22125', '.', '-5'],
    ['£2.55', '.', '2.55'],
    ['kr. 12,00', ',', '12.00'],
    ['12,00 DKK', ',', '12.00'],
    ['.5', '.', '0.5'],
    ['+3', '.', '3'],
    ['12.50', ',', null],
    ['1,00', '.', null],
    ['1.00.000', ',', null],
    ['5.7E+12', '.', null],
    ['two', '.', null],
    ['-', '.', null],
    ['', '.', null],
  ] as const)('%j with %j is %s', (text, decimals, number) => {
    expect(readNumber(text, decimals)).toBe(number)
  })

  it.each([
    [['1.000,00', '149,00', '1000,00'], ',', false],
    [['2.55', '3.39'], '.', false],
    [['1', '2'], '.', false],
    [['1.000', '2.000'], '.', true],
    [['1,5', '2.5', '3.5'], '.', true],
  ] as const)('of a column %j have %j, doubtful: %s', (values, decimals, doubtful) => {
    expect(detectDecimals(values)).toEqual({ decimals, doubtful })
  })

  it('are refused at once in a cell of a million blanks', () => {
    const started = performance.now()
    expect(readNumber(`1${' '.repeat(1_000_000)}x`, '.')).toBeNull()
    expect(readDate(`1${' '.repeat(1_000_000)}x`, 'dmy', 'UTC')).toBeNull()
    expect(performance.now() - started).toBeLessThan(200)
  })

  it('are none in a column of words', () => {
    expect(detectDecimals(['a', 'b', '3'])).toBeNull()
  })

  it('mean the same whichever sign wrote them', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
        const plain = `${whole}.${String(cents).padStart(2, '0')}`
        expect(Number(readNumber(Number(plain).toLocaleString('de-DE', { minimumFractionDigits: 2 }), ','))).toBe(Number(plain))
        expect(Number(readNumber(Number(plain).toLocaleString('en-GB', { minimumFractionDigits: 2 }), '.'))).toBe(Number(plain))
      }),
    )
  })
})

const ours =
  'order_no;ordered_at;ship_name;ship_company;ship_address1;ship_address2;ship_postcode;ship_city;ship_country;ship_phone;ship_email;shipping_code;service_point_id;sku;barcode;name;qty;unit_price_incl_vat;vat_percent;weight_g;hs_code;origin;currency;note'.split(
    ';',
  )

describe('the suggested mapping', () => {
  const suggested = (headers: string, ...rows: string[]) =>
    suggestMapping(
      headers.split(','),
      rows.map(row => row.split(',')),
    )

  it('knows our own columns', () => {
    const { mapping, doubts } = suggestMapping(ours, [])
    expect(mapping.columns).toEqual(Object.fromEntries(ours.map(name => [name, name])))
    expect(doubts).toEqual([])
  })

  it('knows the columns of the UCI data set Online Retail, its traps and its dates', () => {
    const { mapping, doubts } = suggested(
      'InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country',
      '1,A,b,2,12-01-2010 08:26,2.55,,EIRE',
      '2,A,b,2,12-05-2010 08:26,2.55,,EIRE',
    )
    expect(mapping).toMatchObject({
      columns: {
        InvoiceNo: 'order_no',
        StockCode: 'sku',
        Description: 'name',
        Quantity: 'qty',
        InvoiceDate: 'ordered_at',
        UnitPrice: 'unit_price_excl_vat',
        CustomerID: 'customer_no',
        Country: 'ship_country',
      },
      constants: { currency: 'GBP' },
      dates: 'mdy',
      conflicts: 'first',
      repeated: 'add',
      cancellation_prefix: 'C',
    })
    expect(doubts.map(doubt => fill(doubt.text, doubt.values))).toEqual(['The dates in InvoiceDate can be read day first or month first'])
  })

  it('knows foreign columns', () => {
    expect(
      suggested('order id,ship_name,ship_attn,ship_address_1,ship_zipcode,product_sku,product_qty,product_name').mapping.columns,
    ).toEqual({
      'order id': 'order_no',
      ship_name: 'ship_name',
      ship_attn: 'ship_attention',
      ship_address_1: 'ship_address1',
      ship_zipcode: 'ship_postcode',
      product_sku: 'sku',
      product_qty: 'qty',
      product_name: 'name',
    })
    expect(suggested('order_id,ship_address1,ship_state,ship_zip,weight', '1,x,y,z,0.5').mapping.columns).toMatchObject({
      order_id: 'order_no',
      ship_state: 'ship_region',
      ship_zip: 'ship_postcode',
      weight: 'weight_kg',
    })
    expect(suggested('order_id,weight', '1,250').mapping.columns).toMatchObject({ weight: 'weight_g' })
    expect(
      suggested('code,partner,date,sku,quantity,name,company,city,zip,state,country,addressOne,addressTwo').mapping.columns,
    ).toMatchObject({
      code: 'order_no',
      name: 'ship_name',
      addressOne: 'ship_address1',
      addressTwo: 'ship_address2',
      zip: 'ship_postcode',
    })
    expect(suggested('Ordrenummer,Varenummer,Antal,Varenavn,Postnr,By,Land').mapping.columns).toEqual({
      Ordrenummer: 'order_no',
      Varenummer: 'sku',
      Antal: 'qty',
      Varenavn: 'name',
      Postnr: 'ship_postcode',
      By: 'ship_city',
      Land: 'ship_country',
    })
  })

  it('gives a column its own decimal sign where it differs', () => {
    const { mapping } = suggestMapping(['order_no', 'unit_price_incl_vat', 'vat_percent', 'weight_kg'], [['1', '1.000,00', '25,0', '0.25']])
    expect(mapping).toMatchObject({ decimals: ',', column_decimals: { weight_kg: '.' } })
  })

  it('tells what is missing', () => {
    const { doubts } = suggested('Order,Product')
    expect(doubts.map(doubt => doubt.field)).toEqual(['qty', 'currency', 'ship_country'])
  })

  it('is refused with two columns for one field, and with columns that the file does not have', () => {
    const mapping = Mapping.parse({
      columns: { a: 'order_no', b: 'sku', c: 'sku', d: 'qty' },
      constants: { currency: 'DKK', ship_country: 'DK' },
    })
    expect(mappingProblems(mapping, ['a', 'b', 'c']).map(problem => fill(problem.text, problem.values))).toEqual([
      'sku is mapped to two columns: b and c',
      'The file has no column d',
    ])
  })

  it('knows only real time zones', () => {
    expect(Mapping.safeParse({ columns: {}, time_zone: 'Mars/Olympus' }).success).toBe(false)
  })
})

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
const told = (reading: ReturnType<typeof read>) =>
  reading.problems.map(problem => `${problem.row} ${problem.severity} ${problem.code}: ${fill(problem.text, problem.values)}`)

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

  it.each<[string, string[], string]>([
    ['a fraction', but([6, '1.5']), '2 refused quantity_not_whole: Quantity 1.5 is not a whole number'],
    ['a negative quantity', but([6, '-3']), '2 refused negative_quantity: Quantity -3 is negative'],
    ['a bad quantity', but([6, 'two']), '2 refused bad_number: two is no number with the chosen decimal sign'],
    ['no quantity', but([6, '']), '2 refused missing_field: qty is empty'],
    ['a bad price', but([7, '2,55']), '2 refused bad_number: 2,55 is no number with the chosen decimal sign'],
    ['a bad date', but([1, '31-12-2010']), '2 refused bad_date: 31-12-2010 is no date of the chosen order of day, month and year'],
    ['no known country', but([3, 'Unspecified']), '2 refused unknown_country: Unspecified is no country that is known'],
    ['no country', but([3, '']), '2 refused missing_field: ship_country is empty'],
    ['no order number', but([0, '']), '2 refused missing_field: order_no is empty'],
    ['no description', but([5, '']), '2 refused no_description: The row has no description'],
    ['a price of zero', but([7, '0.00']), '2 refused zero_price: The price is zero'],
    ['only charges', but([4, 'POST']), '2 refused nothing_to_pack: Order 1 has nothing that can be packed'],
    ['too long a SKU', but([4, 'x'.repeat(65)]), '2 refused bad_value: Line 1: sku is longer than 64 characters'],
  ])('are refused with %s', (_, row, message) => {
    const reading = read([row])
    expect(reading).toMatchObject({ outcome: 'refused', order: null })
    expect(told(reading)).toContain(message)
  })

  it('leave out a row without description or price where other rows are good', () => {
    const reading = read([good, but([4, 'B'], [5, '']), but([4, 'C'], [7, '0'])])
    expect(reading.order?.lines).toHaveLength(1)
    expect(told(reading)).toEqual(['3 left_out no_description: The row has no description', '4 left_out zero_price: The price is zero'])
  })

  it('keep them where the mapping says so', () => {
    const { order } = read([but([5, ''], [7, '0'])], { zero_price: 'keep', no_description: 'keep' })
    expect(order?.lines[0]).toMatchObject({ name: 'A1', unit_price_excl_vat: '0' })
  })

  it('all go back when one of them is refused, so that the mended file holds the whole order', () => {
    const reading = read([good, but([4, 'B'], [6, 'x']), but([4, 'C'])])
    expect(told(reading).toSorted()).toEqual([
      '2 refused order_refused: Row 3 of the same order was refused',
      '3 refused bad_number: x is no number with the chosen decimal sign',
      '4 refused order_refused: Row 3 of the same order was refused',
    ])
  })

  it('of a cancellation are skipped in words', () => {
    const reading = read([but([0, 'C1'], [6, '-1']), but([0, 'C1'], [4, 'D'], [6, '-1'])])
    expect(reading.outcome).toBe('skipped')
    expect(told(reading)).toEqual([
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
    expect(told(reading)).toEqual([
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
    expect(told(first)).toEqual([
      '3 noted conflicting_field: ordered_at 12-01-2010 08:27 differs from 12-01-2010 08:26 in row 2 of the same order',
    ])
    expect(read(rows, { conflicts: 'refuse' }).outcome).toBe('refused')
    expect(read([good, but([1, '']), but([2, ''])], { conflicts: 'refuse' }).outcome).toBe('order')
  })

  it('without a customer are an order of a guest', () => {
    const reading = read([but([2, ''])])
    expect(reading.order?.customer?.external_id).toBeNull()
    expect(told(reading)).toEqual(['2 noted no_customer: Order 1 names no customer: it was taken as an order of a guest'])
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
})

describe('the file of refused rows', () => {
  it('holds the row as it came, and why', () => {
    const reading = read([but([6, 'x'], [7, 'y'])])
    expect(errorHeader(headers)).toEqual([...headers, 'error_code', 'error_text', 'field'])
    expect(errorRow(but([6, 'x']), headers.length, reading.problems)).toEqual([
      ...but([6, 'x']),
      'bad_number',
      'x is no number with the chosen decimal sign',
      'count',
    ])
  })

  it('has no cell that a spreadsheet takes for a formula, and reads back as it was', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('=1+1', '+45', '-5', '@SUM(A1)', '\t=1', '\r=1')), cell => {
        const safe = spreadsheetSafe(cell)
        expect(safe).not.toMatch(/^[=+\-@\t\r]/)
        if (/^[=+\-@]/.test(cell)) expect(cellText(safe)).toBe(cellText(cell))
      }),
    )
  })

  it('pads short rows to the width of the header', () => {
    expect(errorRow(['1'], 3, [])).toEqual(['1', '', '', '', '', ''])
  })
})
