/** Rejected rows go back as they came, with what was wrong, and without danger to anyone who opens the file. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellText, spreadsheetSafe } from '#domain/csv-text.ts'
import { Mapping } from './mapping.rules.ts'
import { rowReader } from './order-rows.rules.ts'
import { errorHeader, errorRow } from './rejected-rows.rules.ts'

describe('the file of refused rows', () => {
  it('holds the row as it came, and why', () => {
    const headers = ['no', 'what', 'count', 'price']
    const reader = rowReader(
      headers,
      Mapping.parse({
        columns: { no: 'order_no', what: 'name', count: 'qty', price: 'unit_price_excl_vat' },
        constants: { currency: 'DKK', ship_country: 'DK' },
      }),
    )
    const cells = ['1', 'Mug', 'x', 'y']
    expect(errorHeader(headers)).toEqual([...headers, 'error_code', 'error_text', 'field'])
    expect(errorRow(cells, headers.length, reader.toCanonical([{ row: 2, cells }]).problems)).toEqual([
      ...cells,
      'bad_number',
      'qty: “x” is no number with the chosen decimal sign',
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
