/** Whole files: streamed, grouped and counted, those of others included. */
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Row } from '#domain/csv-text.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { readRows, textOf, underHeader } from '#platform/csv/csv-rows.ts'
import { retailMapping } from '#test/online-retail.ts'
import { examine, groupRows } from './file-rows.server.ts'
import { Mapping, type WrittenMapping } from './mapping.rules.ts'
import { type RowsReading, rowReader } from './order-rows.rules.ts'

const root = resolve(import.meta.dirname, '../../../..')
const sample = resolve(root, 'samples/online-shop.csv')
const real = resolve(root, process.env.PAKHUS_DATA ?? '../shared/data', 'online-retail-2010-12.csv')

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}
const rowsIn = async (text: string | string[], separator: ';' | ',' = ';'): Promise<Row[]> =>
  (await all(readRows(typeof text === 'string' ? [text] : text, { separator }))).flat()

async function readings(file: string, over: Partial<WrittenMapping> = {}): Promise<RowsReading[]> {
  const { form, mapping } = await examine(readFileSync(file), { timeZone: 'Europe/London', whole: true })
  const { headers, rows } = await underHeader(readRows(textOf(createReadStream(file), form.encoding), form))
  const reader = rowReader(headers, Mapping.parse({ ...mapping, ...retailMapping, ...over }))
  return (await all(groupRows(rows, reader))).map(reader.toCanonical)
}
const outcomes = (found: RowsReading[]) =>
  Object.fromEntries(['order', 'skipped', 'refused'].map(outcome => [outcome, found.filter(reading => reading.outcome === outcome).length]))
const problems = (found: RowsReading[]) => {
  const counts: Record<string, number> = {}
  for (const { severity, code } of found.flatMap(reading => reading.problems))
    counts[`${severity} ${code}`] = (counts[`${severity} ${code}`] ?? 0) + 1
  return counts
}

describe('rows', () => {
  it('are numbered as a spreadsheet numbers them, empty ones and broken lines included', async () => {
    expect(await rowsIn('a;b\n1;2\n\n;\n"x\ny";3\r\n4;5')).toEqual([
      { row: 1, cells: ['a', 'b'] },
      { row: 2, cells: ['1', '2'] },
      { row: 5, cells: ['x\ny', '3'] },
      { row: 6, cells: ['4', '5'] },
    ])
  })

  it('come out whole when the file is cut anywhere', async () => {
    const text = 'navn;by\n"Lene; ""Ærø""";Odense\nOla;Oslo\n'
    const bytes = new TextEncoder().encode(`\ufeff${text}`)
    for (let at = 1; at < bytes.length; at++) {
      const rows = (await all(readRows(textOf([bytes.subarray(0, at), bytes.subarray(at)], 'utf-8'), { separator: ';' }))).flat()
      expect(rows.map(row => row.cells)).toEqual([
        ['navn', 'by'],
        ['Lene; "Ærø"', 'Odense'],
        ['Ola', 'Oslo'],
      ])
    }
  })

  it('are read from Windows-1252 and UTF-16', async () => {
    const windows = new Uint8Array([0xc6, 0x72, 0xf8, 0x3b, 0x31])
    expect((await all(readRows(textOf([windows], 'windows-1252'), { separator: ';' }))).flat()[0]?.cells).toEqual(['Ærø', '1'])
    const utf16 = Buffer.from('\ufeffÆrø;1', 'utf16le')
    expect(
      (await all(readRows(textOf([utf16.subarray(0, 3), utf16.subarray(3)], 'utf-16le'), { separator: ';' }))).flat()[0]?.cells,
    ).toEqual(['Ærø', '1'])
  })

  it('begin after the line that names the separator to spreadsheets', async () => {
    for (const line of ['sep=;', '\ufeffsep=;', '"sep=;"', 'sep=,'])
      expect(await rowsIn(`${line}\na;b\n1;2`), line).toEqual([
        { row: 1, cells: ['a', 'b'] },
        { row: 2, cells: ['1', '2'] },
      ])
  })

  it('may hold a loose quotation mark, but one that never closes is reported', async () => {
    expect((await rowsIn('a;7" plate;b'))[0]?.cells).toEqual(['a', '7" plate', 'b'])
    await expect(rowsIn('a;b\n1;"never closed\n2;3')).rejects.toThrow(
      'A quotation mark in row 2 or after it is not closed, or the row is too long',
    )
    await expect(rowsIn(`a;b\n1;"${'x'.repeat(1_100_000)}`)).rejects.toThrow('is not closed, or the row is too long')
  })

  it('fail with the file that fails', async () => {
    async function* broken() {
      yield 'a;b\n'
      throw new Error('the disk is gone')
    }
    await expect(all(readRows(broken(), { separator: ';' }))).rejects.toThrow('the disk is gone')
  })

  it('must be there', async () => {
    await expect(examine(new TextEncoder().encode('order_no;sku\n'))).rejects.toThrow('The file has no rows under its header')
    await expect(examine(new Uint8Array())).rejects.toThrow('The file has no rows under its header')
  })
})

describe('orders of a file', () => {
  const reader = { keyOf: (cells: readonly string[]) => cells[0]! }
  async function* batches(...rows: Row[][]) {
    yield* rows
  }

  it('are put together from rows that lie apart, in the order in which they begin', async () => {
    const row = (number: number, ...cells: string[]): Row => ({ row: number, cells })
    const groups = await all(
      groupRows(
        batches([row(2, 'b', '1'), row(3, 'a', ''), row(4, '', 'lost')], [row(5, 'b', '2'), row(6, 'c\u001f', 'x\u001fy')]),
        reader,
      ),
    )
    expect(groups).toEqual([[row(2, 'b', '1'), row(5, 'b', '2')], [row(3, 'a', '')], [row(6, 'c', 'xy')], [row(4, '', 'lost')]])
  })

  it('are refused beyond the limit of rows', async () => {
    await expect(
      all(
        groupRows(
          batches([
            { row: 2, cells: ['a'] },
            { row: 3, cells: ['a'] },
          ]),
          reader,
          { most: 1 },
        ),
      ),
    ).rejects.toThrow('The file has more than 1 rows')
  })
})

describe('the sample file', () => {
  it('is recognised, its dates month first and doubtful', async () => {
    const { form, mapping, doubts, preview } = await examine(readFileSync(sample), { whole: true })
    expect(form).toEqual({ encoding: 'utf-8', separator: ',', header_row: 1 })
    expect(mapping).toMatchObject({ dates: 'mdy', decimals: '.', cancellation_prefix: 'C', conflicts: 'first' })
    expect(doubts.map(doubt => doubt.field)).toContain('ordered_at')
    expect(preview).toHaveLength(20)
  })

  it('has every trap of the real data, each named in a sentence', async () => {
    const found = await readings(sample)
    expect(found).toHaveLength(40)
    expect(outcomes(found)).toEqual({ order: 31, skipped: 3, refused: 6 })
    expect(Object.keys(problems(found)).toSorted()).toEqual([
      'left_out zero_price',
      'noted conflicting_field',
      'noted no_customer',
      'noted not_a_product',
      'refused negative_quantity',
      'refused no_description',
      'refused nothing_to_pack',
      'refused order_refused',
      'refused unknown_country',
      'skipped cancellation',
    ])
    const twice = found.find(reading => reading.order_no === '700103')!
    expect(twice.order?.lines.find(line => line.sku === '41030c')?.qty).toBe('3')
  })
})

describe.runIf(existsSync(real))(
  'real orders (Online Retail, UCI, CC BY 4.0; skipped where online-retail-2010-12.csv is not there)',
  () => {
    // The figures were counted from the file by other means than this program.
    it('are all accounted for', async () => {
      const found = await readings(real)
      expect(found).toHaveLength(512)
      expect(found.reduce((sum, reading) => sum + reading.rows, 0)).toBe(10_000)
      expect(outcomes(found)).toEqual({ order: 423, skipped: 43, refused: 46 })
      expect(problems(found)).toEqual({
        'skipped cancellation': 100,
        'refused negative_quantity': 30,
        'refused no_description': 13,
        'refused zero_price': 2,
        'refused nothing_to_pack': 1,
        'left_out zero_price': 1,
        'noted not_a_product': 36,
        'noted no_customer': 23,
        'noted conflicting_field': 6,
      })
    })

    it('have the lines, quantities, products and days that were counted', async () => {
      const orders = (await readings(real, { invent: { addresses: true, products: true } })).flatMap(reading =>
        reading.order ? [toOrder(reading.order)] : [],
      )
      const items = orders.flatMap(order => order.lines.filter(line => line.type === 'item'))
      expect(items).toHaveLength(9_487)
      expect(items.reduce((sum, line) => sum + line.qty, 0)).toBe(90_009)
      expect(new Set(items.map(line => line.sku_key)).size).toBe(1_958)
      expect([...new Set(orders.map(order => order.ordered_at?.slice(0, 10)))].toSorted()).toEqual([
        '2010-12-01',
        '2010-12-02',
        '2010-12-03',
        '2010-12-05',
      ])
      expect(orders.every(order => order.ship_to.address1.startsWith('Sample Street') && order.ship_to.postcode !== '')).toBe(true)
    })
  },
)
