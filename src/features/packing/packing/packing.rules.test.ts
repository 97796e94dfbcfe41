/** Serial numbers that are asked for late, and outer packs whose pieces have one each. */
import { describe, expect, it } from 'vitest'
import { decide, type MeantProduct, packOf, type Scanned, type SerialRule, type TableLine } from './packing.rules.ts'

const line = (order_line_id: number, change: Partial<TableLine> = {}): TableLine => ({
  order_line_id,
  product_id: order_line_id * 10,
  sku_key: `SKU${order_line_id}`,
  name: `Thing ${order_line_id}`,
  barcode: null,
  qty: 2,
  packed_qty: 0,
  needs_serial: false,
  serials: 0,
  ...change,
})
const means = (product_id: number, quantity = 1): MeantProduct => ({
  product_id,
  sku: `P${product_id}`,
  name: `Product ${product_id}`,
  quantity,
  has_picture: false,
})
const code = (text: string, more: Partial<Scanned> = {}): Scanned => ({ text, codes: [text], scan_id: 'scan', ...more })
const rule: SerialRule = (_, serial) => /^[a-z]\d{10,12}$/.test(serial)

describe('a company that records serial numbers before the parcel is closed', () => {
  const late = { ask_at: 'close' } as const
  const camera = (change: Partial<TableLine> = {}) => line(1, { needs_serial: true, ...change })

  it.each<[string, TableLine, MeantProduct[], Scanned, object]>([
    ['counts the piece at once', camera(), [means(10)], code('x', late), { result: 'ok', quantity: 1 }],
    ['counts an outer pack at once', camera({ qty: 6 }), [means(10, 6)], code('x', late), { result: 'order_done', quantity: 6 }],
    [
      'counts a piece whose code holds its serial, with it',
      camera({ packed_qty: 1 }),
      [means(10)],
      code('x', { ...late, gs1_serial: 'a1234567890' }),
      { result: 'order_done', quantity: 1, serial: 'a1234567890' },
    ],
    [
      'records the serial that is asked for, and counts nothing',
      camera({ packed_qty: 2 }),
      [],
      code('a1234567890', { ...late, serial_for: 1 }),
      { result: 'ok', quantity: 0, serial: 'a1234567890' },
    ],
    [
      'has everything with the last serial',
      camera({ packed_qty: 2, serials: 1 }),
      [],
      code('a1234567890', { ...late, serial_for: 1 }),
      { result: 'order_done', quantity: 0, serial: 'a1234567890' },
    ],
    [
      'knows a serial without being asked for it',
      camera({ packed_qty: 1 }),
      [],
      code('a1234567890', late),
      { result: 'ok', quantity: 0, serial: 'a1234567890' },
    ],
    [
      'refuses a serial that does not fit the rule',
      camera({ packed_qty: 2 }),
      [],
      code('A1', { ...late, serial_for: 1 }),
      { result: 'serial_refused', quantity: 0 },
    ],
    [
      'refuses one serial more than pieces',
      camera({ packed_qty: 2, serials: 2 }),
      [],
      code('a1234567890', { ...late, serial_for: 1 }),
      { result: 'serial_refused', quantity: 0 },
    ],
  ])('%s', (_, item, meant, scanned, decision) => {
    expect(decide([item], meant, scanned, rule)).toMatchObject(decision)
  })
})

describe('an outer pack whose pieces need serial numbers', () => {
  const camera = (change: Partial<TableLine> = {}) => line(1, { needs_serial: true, qty: 8, ...change })
  const pack = (given: number, pieces = 6) => ({ scan_id: 'pack', order_line_id: 1, pieces, given })
  const asked = (given: number) => ({ pack: pack(given), serial_for: 1 })

  it.each<[string, TableLine[], MeantProduct[], Scanned, object]>([
    [
      'counts nothing, and asks for the first of them',
      [camera()],
      [means(10, 6)],
      code('x'),
      {
        result: 'serial_of_pack',
        quantity: 0,
        pack: { scan_id: 'scan', order_line_id: 1, pieces: 6, given: 0 },
        values: { n: 1, pieces: 6 },
      },
    ],
    ['is refused where fewer pieces are missing', [camera({ packed_qty: 4 })], [means(10, 6)], code('x'), { result: 'over', quantity: 0 }],
    [
      'asks for the next number with each that fits',
      [camera({ packed_qty: 2 })],
      [],
      code('a1234567890', asked(2)),
      { result: 'ok', quantity: 1, pack: pack(3), values: { n: 4, pieces: 6 } },
    ],
    [
      'ends with its last number',
      [camera({ packed_qty: 5 })],
      [],
      code('a1234567890', asked(5)),
      { result: 'ok', quantity: 1, pack: null, values: { packed: 6, qty: 8 } },
    ],
    [
      'ends with the last piece of a line that was made smaller',
      [camera({ packed_qty: 1, qty: 2 })],
      [],
      code('a1234567890', asked(1)),
      { result: 'order_done', quantity: 1, pack: null },
    ],
    ['counts nothing for a number that does not fit', [camera()], [], code('A1', asked(2)), { result: 'serial_refused', quantity: 0 }],
    ['counts nothing for the code of its product', [camera()], [means(10)], code('x', asked(2)), { result: 'serial_refused', quantity: 0 }],
    [
      'takes the number out of a GS1 code of the piece',
      [camera()],
      [means(10)],
      code('01…21…', { ...asked(2), gs1_serial: 'a1234567890' }),
      { result: 'ok', quantity: 1, serial: 'a1234567890', pack: pack(3) },
    ],
    [
      'takes no number out of a GS1 code of another product, or of a pack',
      [camera()],
      [means(10, 6)],
      code('01…21…', { ...asked(2), gs1_serial: 'a1234567890' }),
      { result: 'serial_refused', quantity: 0 },
    ],
    [
      'goes on where it was when its code is scanned again',
      [camera({ packed_qty: 4 })],
      [means(10, 6)],
      code('x', { pack: pack(4) }),
      { result: 'serial_needed', quantity: 0, pack: pack(4), values: { n: 5, pieces: 6 } },
    ],
    [
      'ends where a piece is scanned without it',
      [camera({ packed_qty: 4 })],
      [means(10)],
      code('x', { pack: pack(4) }),
      { result: 'serial_needed', quantity: 0, pack: null },
    ],
    [
      'ends where another product counts',
      [camera(), line(2)],
      [means(20)],
      code('x', { pack: pack(4) }),
      { result: 'ok', quantity: 1, pack: null },
    ],
  ])('%s', (_, lines, meant, scanned, decision) => {
    expect(decide(lines, meant, scanned, rule)).toMatchObject(decision)
  })

  it('is forgotten where its line needs no number any more, or is complete', () => {
    expect(packOf(pack(2), [camera()])).toEqual(pack(2))
    expect(packOf(pack(2), [camera({ needs_serial: false })])).toBe(null)
    expect(packOf(pack(2), [camera({ packed_qty: 8 })])).toBe(null)
    expect(packOf(pack(2), [line(2, { needs_serial: true })])).toBe(null)
    expect(packOf(pack(6), [camera()])).toBe(null)
  })
})

it('refuses a typed serial number where they are only scanned, and takes a typed product code', () => {
  const lines = [line(1, { needs_serial: true }), line(2)]
  const typed = { typed_refused: true }
  expect(decide(lines, [], code('a1234567890', { ...typed, serial_for: 1 }), rule)).toMatchObject({ result: 'serial_refused' })
  expect(decide(lines, [], code('a1234567890', typed), rule)).toMatchObject({ result: 'serial_refused' })
  expect(decide(lines, [means(20)], code('x', typed), rule)).toMatchObject({ result: 'ok', quantity: 1 })
})
