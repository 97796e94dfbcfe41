/** Columns that mean something together with those beside them: equal names behind a heading, numbered lines of an address, fields of no party. */
import type { Column } from './column-evidence.rules.ts'
import { looksLikeOrderNo } from './column-values.rules.ts'
import { bare, CsvField } from './columns.rules.ts'
import { composedMeanings } from './header-grammar.rules.ts'
import { type Meaning, meaningsOf } from './header-words.rules.ts'

const has = (column: Column, field: Meaning['field'], least = 0): boolean =>
  column.meanings.some(meaning => meaning.field === field && meaning.score >= least)
const isSaid = (column: Column): boolean => column.values.length > 0
const ofParty = /^(ship|bill)_/

/** As many equal names are no accident. */
const fewestRepeated = 3
const repeated = /^(.+) \((\d{1,2})\)$/

/** The party that a column names alone, as the heading of those behind it: `Lieferadresse`, `Billing address`. */
function headed({ header }: Column): 'ship' | 'bill' | null {
  const [first] = composedMeanings(header)
  if (!first || !/^(?:ship|bill)_(?:address1|name)$/.test(first.field)) return null
  // `Adresse` alone is a field, and no heading.
  const says = first.field.endsWith('name') ? first.score <= 60 : first.score >= 80
  return says ? (first.field.startsWith('ship') ? 'ship' : 'bill') : null
}

/** `Rechnungsadresse`, `PLZ`, `Ort`, `Lieferadresse`, `PLZ`, `Ort`: equal names belong to the heading before them. */
export function takeEqualNames(columns: readonly Column[]): void {
  const again = columns.filter(column => {
    const [, name = ''] = repeated.exec(column.header) ?? []
    return columns.some(({ header }) => header === name) && meaningsOf(name).some(({ field }) => ofParty.test(field))
  })
  if (again.length < fewestRepeated) return
  const names = new Set(again.map(({ header }) => repeated.exec(header)?.[1] ?? ''))
  let heading: { column: Column; party: 'ship' | 'bill' } | null = null
  const groups: { column: Column; party: 'ship' | 'bill'; fields: Column[] }[] = []
  for (const column of columns) {
    const name = repeated.exec(column.header)?.[1] ?? column.header
    if (names.has(name)) {
      if (heading && groups.at(-1)?.column !== heading.column) groups.push({ ...heading, fields: [] })
      if (heading) groups.at(-1)?.fields.push(column)
    } else {
      const party = headed(column)
      if (party) heading = { column, party }
    }
  }
  if (new Set(groups.map(({ party }) => party)).size < 2) return
  for (const { column: head, party, fields } of groups) {
    for (const column of fields) {
      const name = repeated.exec(column.header)?.[1] ?? column.header
      column.meanings = meaningsOf(`${party === 'ship' ? 'delivery' : 'billing'} ${name}`).map(meaning => ({ ...meaning }))
      // The recipient is reached where the delivery says, and not where the bill does.
      if (party === 'bill') column.meanings = column.meanings.filter(({ field }) => !field.startsWith('ship_'))
    }
    // The same once more in one cell.
    if (fields.some(column => isSaid(column) && has(column, `${party}_address1`))) head.meanings = []
  }
}

/** `DELIVERY1`, `DELIVERY2` beside the names of the recipient, where no column is the street: the lines of the address. */
export function takeNumberedLines(columns: readonly Column[]): void {
  if (columns.some(column => has(column, 'ship_address1', 60) && isSaid(column))) return
  if (!columns.some(column => (has(column, 'ship_last_name', 60) || has(column, 'ship_name', 70)) && isSaid(column))) return
  const lines = columns.flatMap(column => {
    const [, stem = '', number = ''] = /^([a-z]+)([1-9])$/.exec(bare(column.header)) ?? []
    return stem && meaningsOf(stem).some(({ field }) => field === 'ship_name') ? [{ column, stem, number: Number(number) }] : []
  })
  const first = lines.find(({ number, column }) => number === 1 && isSaid(column))
  if (!first || !lines.some(({ stem, number }) => stem === first.stem && number === 2)) return
  for (const { column, stem, number } of lines)
    if (stem === first.stem)
      column.meanings = number > 2 ? [] : [{ field: number === 1 ? 'ship_address1' : 'ship_address2', score: 80, vat: null }]
}

/** Parts of an address that say whose they are only together with the street. */
const besideStreet = ['company', 'name', 'attention', 'address2', 'street_number'] as const

/** Where the delivery has a street of its own, the company and the names beside a street of no party are those of the bill. */
export function settleUnnamedParty(columns: readonly Column[]): void {
  const unnamed = (column: Column, fact: string) => {
    const [ship, bill] = [`ship_${fact}`, `bill_${fact}`].map(name => CsvField.safeParse(name).data)
    return Boolean(ship && bill && has(column, ship) && has(column, bill))
  }
  const streets = columns.filter(column => has(column, 'ship_address1', 70) && isSaid(column))
  const own = streets.find(column => !unnamed(column, 'address1'))
  if (!own || !streets.some(column => unnamed(column, 'address1')) || columns.some(column => has(column, 'bill_address1', 80))) return
  for (const column of columns)
    if (besideStreet.some(fact => unnamed(column, fact)))
      column.meanings = column.meanings
        .filter(({ field }) => !field.startsWith('ship_'))
        .map(meaning => ({ ...meaning, score: Math.max(meaning.score, 60) }))
}

/** `Str.` is the street in German and the size in Danish and Norwegian: beside a street, it is the size. */
export function settleSizes(columns: readonly Column[]): void {
  const street = columns.find(column => bare(column.header) !== 'str' && has(column, 'ship_address1', 60) && isSaid(column))
  for (const column of columns)
    if (street && bare(column.header) === 'str' && column.values.every(value => value.length <= 12))
      column.meanings = [{ field: 'variant', score: 70, vat: null }]
}

/**
 * What numbers the orders where no column is named for it: the number of the document, or that of the customer where each row has another.
 * Never sure.
 */
export function takeOtherNumbers(columns: readonly Column[], rows: readonly (readonly string[])[], score: number): void {
  const numbers = (column: Column) => has(column, 'order_no') && isSaid(column)
  if (columns.some(column => numbers(column) && has(column, 'order_no', score))) return
  const named = columns.find(
    column => column.meanings[0]?.field === 'bill_name' && !column.header.includes(' ') && looksLikeOrderNo(column.values),
  )
  const once = columns.find(
    column => has(column, 'customer_no') && looksLikeOrderNo(column.values) && rows.length > 1 && column.values.length === rows.length,
  )
  const taken = named ?? once
  if (taken) taken.meanings = [{ field: 'order_no', score, vat: null }]
}
