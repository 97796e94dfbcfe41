/** The decision table of the bench, case by case. */
import { describe, expect, it } from 'vitest'
import { decide, type MeantProduct, type Scanned, type SerialRule, type TableLine } from './packing.rules.ts'

const line = (order_line_id: number, change: Partial<TableLine> = {}): TableLine => ({
  order_line_id,
  product_id: order_line_id * 10,
  sku_key: `SKU${order_line_id}`,
  name: `Thing ${order_line_id}`,
  barcode: null,
  qty: 2,
  packed_qty: 0,
  needs_serial: false,
  ...change,
})
const means = (product_id: number, quantity = 1): MeantProduct => ({
  product_id,
  sku: `P${product_id}`,
  name: `Product ${product_id}`,
  quantity,
  has_picture: false,
})
const code = (text: string, more: Partial<Scanned> = {}): Scanned => ({ text, codes: [text], ...more })
const noRule: SerialRule = () => null
const rule: SerialRule = (_, serial) => /^[a-z]\d{10,12}$/.test(serial)

describe('a product scan', () => {
  it('counts one of an expected product', () => {
    expect(decide([line(1)], [means(10)], code('x'), noRule)).toMatchObject({ result: 'ok', quantity: 1, line: { order_line_id: 1 } })
  })
  it('counts what an outer pack holds', () => {
    expect(decide([line(1, { qty: 12 })], [means(10, 6)], code('x'), noRule)).toMatchObject({ result: 'ok', quantity: 6 })
  })
  it('refuses an outer pack that holds more than is missing', () => {
    expect(decide([line(1, { qty: 4 })], [means(10, 6)], code('x'), noRule)).toMatchObject({ result: 'over', quantity: 0 })
  })
  it('says when a line is done and when the order is', () => {
    const lines = [line(1, { qty: 1 }), line(2, { qty: 1 })]
    expect(decide(lines, [means(10)], code('x'), noRule).result).toBe('line_done')
    lines[1]!.packed_qty = 1
    expect(decide(lines, [means(10)], code('x'), noRule).result).toBe('order_done')
  })
  it('refuses more than was ordered', () => {
    expect(decide([line(1, { packed_qty: 2 })], [means(10)], code('x'), noRule)).toMatchObject({
      result: 'over',
      quantity: 0,
      values: { packed: 2, qty: 2 },
    })
  })
  it('fills the second line of a product when the first is full', () => {
    const lines = [line(1, { product_id: 10, packed_qty: 2 }), line(2, { product_id: 10 })]
    expect(decide(lines, [means(10)], code('x'), noRule)).toMatchObject({ quantity: 1, line: { order_line_id: 2 } })
  })
  it('knows a line by its own barcode when the product is unknown', () => {
    expect(decide([line(1, { product_id: null, barcode: '5701' })], [], code('5701'), noRule)).toMatchObject({ result: 'ok', quantity: 1 })
  })
  it('names the product that belongs to another order', () => {
    expect(decide([line(1)], [means(99)], code('x'), noRule)).toMatchObject({ result: 'wrong', quantity: 0, product: { product_id: 99 } })
  })
  it('shows a code that no one knows', () => {
    expect(decide([line(1)], [], code('777'), noRule)).toMatchObject({ result: 'unknown', values: { code: '777' } })
  })
  it('asks which product is meant when one code means two of the order, and takes the answer', () => {
    const lines = [line(1), line(2)]
    const both = [means(10), means(20)]
    expect(decide(lines, both, code('x'), noRule)).toMatchObject({ result: 'ambiguous', choices: [1, 2], quantity: 0 })
    expect(decide(lines, both, code('x', { line_id: 2 }), noRule)).toMatchObject({ result: 'ok', line: { order_line_id: 2 } })
  })
  it('does not ask when only one of the products is still missing', () => {
    expect(decide([line(1, { packed_qty: 2 }), line(2)], [means(10), means(20)], code('x'), noRule)).toMatchObject({
      result: 'ok',
      line: { order_line_id: 2 },
    })
  })
})

describe('a serial number', () => {
  const watch = line(1, { needs_serial: true, qty: 1 })
  it('is asked for before the piece counts', () => {
    expect(decide([watch], [means(10)], code('x'), rule)).toMatchObject({ result: 'serial_needed', quantity: 0 })
  })
  it('counts the piece when it fits the rule', () => {
    expect(decide([watch], [], code('a1234567890', { serial_for: 1 }), rule)).toMatchObject({
      result: 'order_done',
      quantity: 1,
      serial: 'a1234567890',
    })
  })
  it('is refused when it is shorter than the company asks for', () => {
    const serial = (min_serial_length: number) => decide([watch], [], code('A12', { serial_for: 1, min_serial_length }), noRule).result
    expect([serial(3), serial(4)]).toEqual(['order_done', 'serial_refused'])
  })
  it('is refused when it does not fit', () => {
    expect(decide([watch], [], code('A1', { serial_for: 1 }), rule)).toMatchObject({ result: 'serial_refused', quantity: 0 })
  })
  it('is never the barcode of the product itself', () => {
    expect(decide([watch], [means(10)], code('x', { serial_for: 1 }), noRule)).toMatchObject({ result: 'serial_refused' })
  })
  it('finds its line alone when it fits exactly one', () => {
    expect(decide([watch, line(2)], [], code('a1234567890'), rule)).toMatchObject({
      result: 'line_done',
      serial: 'a1234567890',
      line: { order_line_id: 1 },
    })
  })
  it('is asked to follow the product when it could belong to two', () => {
    expect(decide([watch, line(2, { needs_serial: true })], [], code('a1234567890'), rule)).toMatchObject({ result: 'ambiguous' })
  })
  it('is taken from a GS1 code that carries it beside the article', () => {
    expect(decide([watch], [means(10)], code('01…21…', { gs1_serial: 'a1234567890' }), rule)).toMatchObject({
      result: 'order_done',
      serial: 'a1234567890',
    })
  })
})
