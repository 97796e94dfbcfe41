/** The rows of an order file, order by order: what belongs to the whole order, its lines, or the reason why it stays out. */

import { countryCode } from '#domain/country-names.ts'
import { cellText, hasTooManyCells, type Row } from '#domain/csv-text.ts'
import { readNumber } from '#domain/decimals.ts'
import { elementAt } from '#domain/objects.ts'
import { type CanonicalOrder, readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { postcodeAndCity, wholeAddress } from './column-values.rules.ts'
import { CsvField, type DateField, fieldAt, orderFields } from './columns.rules.ts'
import { isSumWord } from './file-shape.rules.ts'
import { inventAddress } from './invent-missing-data.rules.ts'
import { itemsOf, listOf } from './item-cells.rules.ts'
import { contentOf, type Line, lineReader } from './line-rows.rules.ts'
import { Findings, MappedCells, quoted } from './mapped-cells.rules.ts'
import type { Mapping } from './mapping.rules.ts'
import { furtherItems } from './numbered-columns.rules.ts'
import type { RowProblem } from './rejected-rows.rules.ts'
import { isYes } from './special-rows.rules.ts'

export type RowsReading = { order_no: string; rows: number; problems: RowProblem[] } & (
  | { outcome: 'order'; order: CanonicalOrder }
  | { outcome: 'skipped' | 'refused'; order: null }
)

export interface RowReader {
  /** Rows with the same key are one order; empty where the row has no order. Asked in the order of the file: a row may belong to the one above it. */
  keyOf(cells: readonly string[]): string
  /** The rows of one order, in the order of the file → the order, or why not. */
  toCanonical(rows: readonly Row[]): RowsReading
}

/** Facts of an item that may stand in one cell under each other, as many as there are items. */
const listed = [
  'sku',
  'name',
  'qty',
  'barcode',
  'variant',
  'unit_price_incl_vat',
  'unit_price_excl_vat',
  'line_total_incl_vat',
  'line_total_excl_vat',
] as const

/** A row for each item: of cells that hold lists of items, and of cells that hold the same number of values each. */
function itemRows(row: Row, cells: MappedCells, width: number, findings: Findings): Row[] {
  if (cells.itemPlaces.length > 0) {
    const padded = Array.from({ length: width }, (_, at) => row.cells[at] ?? '')
    return cells.itemPlaces.flatMap(place => {
      const written = cellText(row.cells[place] ?? '')
      if (written === '') return []
      const items = itemsOf(written)
      if (items === null) findings.report(row, 'refused', 'items_unreadable', 'items', { value: quoted(written) })
      return (items ?? []).map(item => ({ row: row.row, cells: [...padded, item.sku, item.name, item.qty, item.price] }))
    })
  }
  const [qtyPlace] = cells.placesOf(['qty'])
  const count =
    qtyPlace === undefined || /^[^\n|;,]*$/.test(row.cells[qtyPlace] ?? '') ? 1 : listOf(cellText(row.cells[qtyPlace] ?? '')).length
  if (count === 1 || cells.placesOf(['sku', 'name']).every(place => listOf(cellText(row.cells[place] ?? '')).length !== count)) return [row]
  const lists = new Map(cells.placesOf(listed).map(place => [place, listOf(cellText(row.cells[place] ?? ''))] as const))
  if ([...lists.values()].some(list => list.length !== count && list.length !== 1)) {
    findings.report(row, 'refused', 'items_uneven')
    return []
  }
  return Array.from({ length: count }, (_, at) => ({
    row: row.row,
    cells: row.cells.map((cell, place) => {
      const list = lists.get(place)
      return list ? (list[at] ?? list[0] ?? '') : cell
    }),
  }))
}

const orderOnly = orderFields.filter(field => field !== 'order_no')
/** Any of them says which product a row is about. */
const namesOfGoods = ['sku', 'name', 'barcode', 'items'] as const
const billFields = ['bill_name', 'bill_company', 'bill_address1', 'bill_postcode', 'bill_city', 'bill_country'] as const

/** Reads rows by a mapping whose problems were looked at before. Made once for a file. */
export function rowReader(headers: readonly string[], mapping: Mapping): RowReader {
  const cells = new MappedCells(headers, mapping)
  const lineOf = lineReader(cells)
  const further = furtherItems(mapping, headers)
  const goods = cells.placesOf(['sku', 'name', 'qty'])
  /** A row for each set of columns of an item. What a set has no column for stays empty. */
  const rowsOfSets = (row: Row): Row[] => [
    row,
    ...further.flatMap(set => {
      const own = row.cells.map((cell, place) => {
        const other = set.get(place)
        return other === undefined ? cell : (row.cells[other] ?? '')
      })
      return goods.some(place => set.has(place) && (own[place] ?? '').trim() !== '') ? [{ row: row.row, cells: own }] : []
    }),
  ]
  const prefix = mapping.cancellation_prefix.toUpperCase()
  const comparable = orderOnly.filter(field => cells.has(field))

  const isCancellation = (order_no: string, rows: readonly Row[]): boolean =>
    prefix !== '' &&
    order_no.toUpperCase().startsWith(prefix) &&
    rows.every(row => readNumber(cells.text(row.cells, 'qty'), cells.signOf('qty'))?.startsWith('-'))

  /** The value of the order's first row that has one. Another one further down is a conflict. */
  function shared(rows: readonly Row[], findings: Findings): Partial<Record<CsvField, string>> {
    const values: Partial<Record<CsvField, string>> = {}
    for (const field of comparable) {
      let found = ''
      let from = 0
      for (const row of rows) {
        const written = cells.written(row.cells, field)
        if (written === '' || written === found) continue
        if (found === '') {
          found = written
          from = row.row
        } else {
          // Two ids are two orders: none of them may vanish in the other.
          const harmless = mapping.conflicts === 'first' && field !== 'external_id'
          findings.report(row, harmless ? 'noted' : 'refused', 'conflicting_field', field, {
            field,
            value: quoted(written),
            first: quoted(found),
            row: from,
          })
        }
      }
      values[field] = found
    }
    return values
  }

  const namesGoods = (row: Row): boolean => namesOfGoods.some(field => cells.text(row.cells, field) !== '')
  /** The first row of an order may hold its facts and sums alone, above a row for each product: its quantity is that of the whole order. */
  function withoutHead(rows: readonly Row[], findings: Findings): readonly Row[] {
    const [head, ...others] = rows
    if (!head || others.length === 0 || cells.text(head.cells, 'qty') === '') return rows
    if (namesGoods(head) || !others.every(namesGoods)) return rows
    findings.report(head, 'noted', 'sum_row')
    return others
  }

  function linesOf(rows: readonly Row[], findings: Findings): { lines: Line[]; rowOfLine: Row[] } {
    const lines: Line[] = []
    const rowOfLine: Row[] = []
    const lineOfContent = new Map<string, Line>()
    for (const row of withoutHead(rows, findings)
      .flatMap(rowsOfSets)
      .flatMap(row => itemRows(row, cells, headers.length, findings))) {
      const line = lineOf(row, findings)
      if (!line) continue
      if (mapping.repeated === 'add') {
        const content = contentOf(line)
        const earlier = lineOfContent.get(content)
        if (earlier) {
          earlier.qty = String(Number(earlier.qty) + Number(line.qty))
          continue
        }
        lineOfContent.set(content, line)
      }
      lines.push(line)
      rowOfLine.push(row)
    }
    return { lines, rowOfLine }
  }

  const cancelledPlace = mapping.cancelled ? headers.indexOf(mapping.cancelled.column) : -1
  const cancelledValues = new Set(mapping.cancelled?.values)
  /** Rows that are called cancelled are no goods. A blank cell repeats the one above it in the order. */
  function withoutCancelled(rows: readonly Row[], findings: Findings): readonly Row[] {
    if (cancelledPlace < 0) return rows
    let value = ''
    return rows.filter(row => {
      value = cellText(row.cells[cancelledPlace] ?? '') || value
      const cancelled = cancelledValues.size > 0 ? cancelledValues.has(value) : isYes(value)
      if (cancelled) findings.report(row, 'skipped', 'cancelled_row', '', { column: mapping.cancelled?.column ?? '', value: quoted(value) })
      return !cancelled
    })
  }

  const mappedPlaces = cells.placesOf(CsvField.options)
  /** `Total`, `I alt` … where an order number or nothing should stand, and no product; a remark where no column is mapped. */
  function isSumRow(row: readonly string[]): boolean {
    if (cells.has('order_no') && mappedPlaces.every(place => (row[place] ?? '').trim() === '')) return true
    const order_no = cells.text(row, 'order_no')
    if (order_no !== '' && !isSumWord(order_no)) return false
    const goods = [cells.written(row, 'sku'), cells.written(row, 'name')].filter(text => text !== '')
    const begin = row.find(cell => cell.trim() !== '') ?? ''
    return (isSumWord(begin) || isSumWord(order_no)) && goods.every(isSumWord)
  }

  /** A row of words under the header: what each column holds, in place of a quantity and a number. */
  function isExplanation(row: readonly string[]): boolean {
    const qty = cells.text(row, 'qty')
    return /\p{L}+ \p{L}+/u.test(qty) && !/\d/.test(qty) && !/\d/.test(cells.text(row, 'order_no'))
  }

  let above = ''

  function toCanonical(all: readonly Row[]): RowsReading {
    const top = elementAt(all, 0)
    if (isSumRow(top.cells)) {
      const findings = new Findings(cells)
      for (const row of all) findings.report(row, 'skipped', 'sum_row')
      return { outcome: 'skipped', order: null, order_no: '', rows: all.length, problems: findings.problems }
    }
    if (all.length === 1 && isExplanation(top.cells)) {
      const findings = new Findings(cells)
      findings.report(top, 'skipped', 'explanation_row')
      return { outcome: 'skipped', order: null, order_no: '', rows: 1, problems: findings.problems }
    }
    const order_no = cells.text(top.cells, 'order_no')
    const findings = new Findings(cells)
    const done = (outcome: 'skipped' | 'refused'): RowsReading => ({
      outcome,
      order: null,
      order_no,
      rows: all.length,
      problems: findings.problems,
    })
    /** Every row of a refused order goes back with a reason, so that the file of refused rows can be mended and sent again as a whole. */
    const refuse = (): RowsReading => {
      for (const problem of findings.problems) if (problem.severity === 'left_out') problem.severity = 'refused'
      const refused = new Set(findings.problems.filter(problem => problem.severity === 'refused').map(problem => problem.row))
      const skipped = new Set(findings.problems.filter(problem => problem.severity === 'skipped').map(problem => problem.row))
      const [cause = top.row] = refused
      for (const row of all)
        if (!skipped.has(row.row) && !refused.has(row.row)) findings.report(row, 'refused', 'order_refused', '', { row: cause })
      return done('refused')
    }
    const torn = all.filter(row => hasTooManyCells(row.cells, headers.length))
    for (const row of torn) findings.report(row, 'refused', 'too_many_cells', '', { count: row.cells.length, columns: headers.length })
    if (torn.length > 0) return refuse()
    if (order_no === '') {
      for (const row of all) findings.report(row, 'refused', 'missing_field', 'order_no', { field: 'order_no' })
      return done('refused')
    }
    const rows = withoutCancelled(all, findings)
    const [first] = rows
    if (!first) return done('skipped')
    if (isCancellation(order_no, rows)) {
      for (const row of rows) findings.report(row, 'skipped', 'cancellation', 'order_no', { order_no })
      return done('skipped')
    }

    const values = shared(rows, findings)
    const billed = toBill(values)
    if (billed) findings.report(first, 'noted', 'bill_address', '', { order_no })
    const given = (field: CsvField): string => values[field] || cells.constant(field)
    const { lines, rowOfLine } = linesOf(rows, findings)
    const instant = (field: DateField): string | null => {
      const written = given(field)
      if (written === '') return null
      const read = cells.instant(written)
      if (read === null) findings.report(first, 'refused', 'bad_date', field, { field, value: quoted(written) })
      return read
    }
    const country = (field: 'ship_country' | 'bill_country'): string | null => {
      const written = given(field)
      if (written === '') return null
      const code = countryCode(written)
      if (code === null) findings.report(first, 'refused', 'unknown_country', field, { field, value: quoted(written) })
      return code
    }
    const dates = { ordered_at: instant('ordered_at'), paid_at: instant('paid_at'), ship_by: instant('ship_by') }
    const countries = { ship: country('ship_country'), bill: country('bill_country') }
    for (const field of ['ship_country', 'currency'] as const)
      if (given(field) === '') findings.report(first, 'refused', 'missing_field', field, { field })
    if (findings.refusals > 0) return refuse()
    if (!lines.some(line => line.type === 'item')) {
      const known = new Set(findings.problems.filter(problem => problem.severity === 'left_out').map(problem => problem.row))
      for (const row of rows) if (!known.has(row.row)) findings.report(row, 'refused', 'nothing_to_pack', '', { order_no })
      return refuse()
    }
    if (given('customer_no') === '' && cells.has('customer_no')) findings.report(first, 'noted', 'no_customer', 'customer_no', { order_no })

    const external_id = values.external_id || order_no
    const reading = readCanonical(orderOf({ external_id, order_no, lines, dates, countries, given, invents: mapping.invent.addresses }))
    if (reading.problems) {
      for (const problem of reading.problems) {
        const place = /^lines\[(\d+)\]\.?(\w*)/.exec(problem.field)
        const field = fieldAt(place ? `line.${place[2]}` : problem.field)
        findings.add({
          row: ((place && rowOfLine[Number(place[1])]) ?? first).row,
          code: 'bad_value',
          field,
          column: cells.columnOf(field),
          severity: 'refused',
          text: problem.text,
          values: problem.values,
        })
      }
      return refuse()
    }
    return { outcome: 'order', order: reading.order, order_no, rows: all.length, problems: findings.problems }
  }

  return {
    keyOf(row) {
      if (isSumRow(row)) return ''
      const order_no = cells.text(row, 'order_no')
      const key = order_no === '' ? '' : `${cells.text(row, 'shop').toLowerCase()}\n${order_no}`
      if (key === '' && mapping.blank_order_no === 'order_above') return above
      above = key
      return key
    },
    toCanonical,
  }
}

/** `Lene` and `Hansen` are one name, `Prøvevej` and `5` one street. */
function joinParts(values: Partial<Record<CsvField, string>>): void {
  for (const party of ['ship', 'bill'] as const) {
    const name = [values[`${party}_first_name`], values[`${party}_middle_name`], values[`${party}_last_name`]].filter(Boolean).join(' ')
    if (name !== '') values[`${party}_name`] ||= name
    const [line, ...more] = (values[`${party}_address1`] ?? '')
      .split(/\n|<br ?\/?>/i)
      .map(part => part.trim())
      .filter(part => part !== '')
    if (line && more.length > 0) {
      values[`${party}_address1`] = line
      values[`${party}_address2`] = [...more, values[`${party}_address2`]].filter(Boolean).join(', ')
    }
    const street = values[`${party}_address1`]
    const number = values[`${party}_street_number`]
    if (street && number && !street.endsWith(` ${number}`)) values[`${party}_address1`] = `${street} ${number}`
  }
}

/** `5000 Odense C` is a postcode and a city, `Prøvevej 5, 5000 Odense C, Danmark` a whole address, where no other cell holds these. */
function splitPlaces(values: Partial<Record<CsvField, string>>): void {
  for (const party of ['ship', 'bill'] as const) {
    if (values[`${party}_city`]) continue
    const place = postcodeAndCity(values[`${party}_postcode`] ?? '')
    if (place) {
      values[`${party}_postcode`] = place.postcode
      values[`${party}_city`] = place.city
      if (party === 'ship') values.ship_region ||= place.region
    } else if (!values[`${party}_postcode`]) {
      const whole = wholeAddress(values[`${party}_address1`] ?? '')
      if (!whole) continue
      for (const part of ['address1', 'postcode', 'city'] as const) values[`${party}_${part}`] = whole[part]
      values[`${party}_name`] ||= whole.name
      values[`${party}_address2`] ||= whole.address2
      values[`${party}_country`] ||= whole.country
    }
  }
}

/** Puts the address of the bill where an order names no other: most shops leave the delivery address empty then. */
function toBill(values: Partial<Record<CsvField, string>>): boolean {
  splitPlaces(values)
  joinParts(values)
  const without = (['ship_address1', 'ship_postcode', 'ship_city'] as const).every(field => !values[field])
  const moved = without && Boolean(values.bill_address1 || values.bill_postcode || values.bill_city)
  if (moved)
    for (const part of ['name', 'company', 'address1', 'address2', 'postcode', 'city', 'country'] as const)
      values[`ship_${part}`] ||= values[`bill_${part}`] ?? ''
  // A person is named for the attention of a company; without one, it is the recipient.
  if (!values.ship_name && !values.ship_company && values.ship_attention) {
    values.ship_name = values.ship_attention
    values.ship_attention = ''
  }
  // A customer whose only address is this one is its recipient, of a company too.
  if (!values.ship_name && (!values.ship_company || !values.bill_address1)) values.ship_name = values.bill_name || ''
  if (!values.ship_country && values.bill_country) values.ship_country = values.bill_country
  return moved
}

interface Parts {
  external_id: string
  order_no: string
  lines: Line[]
  dates: Record<DateField, string | null>
  countries: { ship: string | null; bill: string | null }
  given(field: CsvField): string
  invents: boolean
}

/** The order as a shop's program would send it. */
function orderOf({ external_id, order_no, lines, dates, countries, given, invents }: Parts): WrittenOrder {
  const orNull = (field: CsvField): string | null => given(field) || null
  const invented = invents && given('ship_address1') === '' ? inventAddress(order_no, countries.ship!) : null
  return {
    external_id,
    order_no,
    ...(given('shop') !== '' && { shop: given('shop') }),
    source: 'csv',
    ordered_at: dates.ordered_at,
    paid_at: dates.paid_at,
    currency: given('currency'),
    locale: orNull('locale'),
    customer: {
      external_id: orNull('customer_no'),
      name: given('bill_name') || given('ship_name') || invented?.name || null,
      email: orNull('ship_email'),
      phone: orNull('ship_phone'),
      vat_no: orNull('vat_no'),
    },
    ship_to: {
      name: given('ship_name') || invented?.name || '',
      attention: orNull('ship_attention'),
      company: orNull('ship_company'),
      address1: given('ship_address1') || invented?.address1 || '',
      address2: orNull('ship_address2'),
      postcode: given('ship_postcode') || invented?.postcode || '',
      city: given('ship_city') || invented?.city || '',
      region: orNull('ship_region'),
      country: countries.ship!,
      phone: given('ship_phone') || invented?.phone || null,
      email: given('ship_email') || invented?.email || null,
      instruction: orNull('ship_instruction'),
      door_code: orNull('ship_door_code'),
    },
    bill_to: billFields.some(field => given(field) !== '')
      ? {
          name: given('bill_name'),
          company: orNull('bill_company'),
          address1: given('bill_address1'),
          address2: orNull('bill_address2'),
          postcode: given('bill_postcode'),
          city: given('bill_city'),
          country: countries.bill,
        }
      : null,
    service_point: given('service_point_id') === '' ? null : { id: given('service_point_id'), carrier: orNull('service_point_carrier') },
    shipping:
      given('shipping_code') === '' && given('shipping_title') === ''
        ? null
        : { code: orNull('shipping_code'), title: orNull('shipping_title') },
    delivery: dates.ship_by === null ? null : { ship_by: dates.ship_by },
    lines,
    notes: given('note') === '' ? [] : [{ text: given('note') }],
    tags: given('tags')
      .split(/[,;|]/)
      .map(tag => tag.trim())
      .filter(tag => tag !== ''),
  }
}
