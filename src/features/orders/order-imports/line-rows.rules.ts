/** One row of an order file as a line of its order: a product, a charge, or a reason why it is neither. */

import { countryCode } from '#domain/country-names.ts'
import type { Row } from '#domain/csv-text.ts'
import type { WrittenOrder } from '#domain/order/canonical-order.ts'
import { inventProduct } from './invent-missing-data.rules.ts'
import { isLineType, kindOf } from './line-kinds.rules.ts'
import { type Findings, type MappedCells, quoted } from './mapped-cells.rules.ts'

export type Line = WrittenOrder['lines'][number]

/** What a spreadsheet makes of 5701234567890. */
const rounded = /^\d[.,]?\d*E\+\d+$/i
const yes = /^(1|true|yes|ja|x)$/i

/** Answers how a row is read as a line. Null where it is none; why is among the findings then. */
export function lineReader(cells: MappedCells): (row: Row, findings: Findings) => Line | null {
  const { mapping } = cells
  const nonProducts = new Map(mapping.non_products.map(({ sku, becomes }) => [sku.trim().toUpperCase(), becomes]))

  /** Pieces; what goes backwards is a charge that is given back, at a price with the other sign. */
  function quantity(row: Row, type: string, findings: Findings): { qty: string; backwards: boolean } | null {
    const read = cells.number(row, 'qty', findings)
    if (read === null) {
      if (cells.text(row.cells, 'qty') === '') findings.report(row, 'refused', 'missing_field', 'qty', { field: 'qty' })
      return null
    }
    const backwards = read.startsWith('-') && Number(read) !== 0
    if (backwards && type === 'item') {
      findings.report(row, 'refused', 'negative_quantity', 'qty', { value: quoted(read) })
      return null
    }
    const qty = backwards ? read.slice(1) : read
    if (!Number.isInteger(Number(qty))) {
      findings.report(row, 'refused', 'quantity_not_whole', 'qty', { value: quoted(qty) })
      return null
    }
    if (Number(qty) === 0) {
      findings.report(row, 'left_out', 'quantity_zero', 'qty')
      return null
    }
    return { qty: String(Number(qty)), backwards }
  }

  function nameOf(row: Row, sku: string, findings: Findings): string | null {
    const name = cells.text(row.cells, 'name')
    if (name !== '') return name
    if (sku === '') {
      findings.report(row, 'refused', 'missing_field', 'sku', { field: 'sku' })
      return null
    }
    if (mapping.no_description === 'leave_out') {
      findings.report(row, 'left_out', 'no_description', 'name')
      return null
    }
    return sku
  }

  function barcodeOf(row: Row, findings: Findings): string {
    const barcode = cells.text(row.cells, 'barcode')
    if (!rounded.test(barcode)) return barcode
    findings.report(row, 'noted', 'bad_barcode', 'barcode', { value: barcode })
    return ''
  }

  function gramsOf(row: Row, findings: Findings): number | null {
    const kilograms = cells.number(row, 'weight_kg', findings)
    const grams = cells.number(row, 'weight_g', findings)
    if (grams !== null) return Math.round(Number(grams))
    return kilograms === null ? null : Math.round(Number(kilograms) * 1_000)
  }

  function originOf(row: Row, findings: Findings): string | null {
    const origin = cells.text(row.cells, 'origin')
    if (origin === '') return null
    const code = countryCode(origin)
    if (code === null) findings.report(row, 'refused', 'unknown_country', 'origin', { field: 'origin', value: quoted(origin) })
    return code
  }

  return (row, findings) => {
    const known = findings.refusals
    const text = (field: Parameters<MappedCells['text']>[1]) => cells.text(row.cells, field)
    const sku = text('sku')
    const becomes = nonProducts.get((sku || text('name')).toUpperCase())
    if (becomes === 'left_out') {
      findings.report(row, 'left_out', 'left_out', 'sku', { sku })
      return null
    }
    const written = text('line_type')
    const type = becomes ?? kindOf(written)
    // The row of the order itself, above those of its items.
    if (type === 'order' && sku === '' && text('name') === '') {
      findings.report(row, 'noted', 'sum_row')
      return null
    }
    if (type === 'payment') {
      findings.report(row, 'left_out', 'left_out', 'line_type', { sku: quoted(written) })
      return null
    }
    if (!isLineType(type)) {
      findings.report(row, 'refused', 'unknown_type', 'line_type', { value: quoted(written) })
      return null
    }
    const counted = quantity(row, type, findings)
    if (!counted) return null
    const name = nameOf(row, sku, findings)
    if (name === null) return null

    const signed = (price: string | null): string | null =>
      price === null || !counted.backwards ? price : price.startsWith('-') ? price.slice(1) : `-${price}`
    const priced = (vat: 'incl' | 'excl') =>
      signed(
        cells.number(row, `unit_price_${vat}_vat`, findings) ?? perPiece(cells.number(row, `line_total_${vat}_vat`, findings), counted.qty),
      )
    const incl = priced('incl')
    const excl = priced('excl')
    const price = incl ?? excl
    if (type === 'item' && price !== null && Number(price) === 0 && mapping.zero_price === 'leave_out') {
      findings.report(row, 'left_out', 'zero_price', incl === null ? 'unit_price_excl_vat' : 'unit_price_incl_vat')
      return null
    }
    const barcode = barcodeOf(row, findings)
    const grams = gramsOf(row, findings)
    const origin = originOf(row, findings)
    const discount = cells.number(row, 'discount_excl_vat', findings)
    const vat = rateOf(cells.number(row, 'vat_percent', findings))
    if (findings.refusals > known) return null
    if (becomes !== undefined) findings.report(row, 'noted', 'not_a_product', 'sku', { sku: sku || quoted(name), becomes })
    const invented = mapping.invent.products && type === 'item' && sku !== '' ? inventProduct(sku) : null
    return {
      type,
      external_id: text('line_id') || null,
      sku: sku || null,
      barcode: barcode || invented?.barcode || null,
      name,
      variant: text('variant') || null,
      qty: counted.qty,
      unit_price_incl_vat: incl,
      unit_price_excl_vat: excl,
      discount_excl_vat: discount,
      vat_percent: vat,
      weight_g: grams ?? invented?.weight_g ?? null,
      hs_code: text('hs_code') || null,
      origin,
      customs_text: text('customs_text') || null,
      bin: text('bin') || invented?.bin || null,
      image_url: text('image_url') || null,
      serial_required: yes.test(text('serial_required')),
    }
  }
}

/** `0.25` is a rate of 25 %: nowhere is one below 1 %. */
const rateOf = (read: string | null): string | null =>
  read !== null && Number(read) > 0 && Number(read) < 1 ? String(Math.round(Number(read) * 100_000) / 1_000) : read

/** The sum of a line for one piece, as exactly as a price may be written. */
function perPiece(total: string | null, qty: string): string | null {
  if (total === null) return null
  const price = (Number(total) / Number(qty)).toFixed(6)
  return price.replace(/\.?0+$/, '')
}

/** Lines with the same content differ in their quantity alone. */
export const contentOf = (line: Line): string =>
  `${line.type}\n${line.sku?.toUpperCase() || line.name}\n${line.barcode}\n${line.variant}\n${line.unit_price_incl_vat}\n${line.unit_price_excl_vat}\n${line.discount_excl_vat}\n${line.vat_percent}`
