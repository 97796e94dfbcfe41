/** Which column is which field: every field goes to the column that means it most surely. */
import { isOneOf } from '#domain/objects.ts'
import { type Column, goesWith } from './column-evidence.rules.ts'
import { looksLikeOrderNo, strictFields, valuesFit, wholeAddress } from './column-values.rules.ts'
import { type CsvField, dateFields } from './columns.rules.ts'
import type { Meaning } from './header-words.rules.ts'
import { listOf } from './item-cells.rules.ts'
import { differs, holdsTheSame, isOther, needed, sureScore } from './suggested-columns.rules.ts'

export interface Claim extends Meaning {
  column: Column
}

export const fitsValues = (field: CsvField, { values }: Column): boolean =>
  valuesFit(field, values) || valuesFit(field, values.flatMap(listOf))

/** How surely a column means this, with its values: against them only where its name can mean nothing else. */
function scoreOf({ field, score }: Meaning, column: Column): number {
  // A day of the month beside the month and the year is no date.
  if (isOneOf(dateFields, field) && column.values.length > 0 && column.values.every(value => /^\d{1,2}$/.test(value))) return 0
  if (isOther(field) || fitsValues(field, column)) return score
  const kinds = new Set(column.meanings.map(meaning => meaning.field.replace(/^(ship|bill)_/, '')))
  return strictFields.has(field) || kinds.size > 1 || score < 70 ? 0 : score - 30
}

/** Every field goes to the column that means it most surely; of equals the first. */
export function claimsOf(columns: readonly Column[]): Map<Meaning['field'], Claim[]> {
  const claims = columns
    .flatMap(column => column.meanings.map(meaning => ({ ...meaning, score: scoreOf(meaning, column), column })))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.column.place - other.column.place)
  const taken = new Map<Meaning['field'], Claim[]>()
  const used = new Set<Column>()
  for (const claim of claims) {
    const others = taken.get(claim.field)
    if (used.has(claim.column) || (others && claim.field !== 'items')) continue
    // An empty column proves nothing: one with values goes first.
    if (
      claim.column.values.length === 0 &&
      claims.some(other => other.field === claim.field && other.column.values.length > 0 && other.score > 60)
    )
      continue
    used.add(claim.column)
    taken.set(claim.field, [...(others ?? []), claim])
  }
  return taken
}

/** Fields of the order that it can do without: where the rows of an order differ in one, the column is none of the order's. */
export const dispensable: ReadonlySet<Meaning['field']> = new Set<Meaning['field']>([
  'external_id',
  'paid_at',
  'locale',
  'customer_no',
  'vat_no',
  'ship_instruction',
  'ship_door_code',
  'shipping_code',
  'shipping_title',
  'service_point_id',
  'ship_by',
  'note',
  'tags',
  'ship_region',
])

/** Of two ways to write the same thing, the surer one. */
export function dropSpares(taken: Map<Meaning['field'], Claim[]>, rows: readonly (readonly string[])[]): void {
  const score = (field: CsvField) => taken.get(field)?.[0]?.score ?? 0
  for (const party of ['ship', 'bill'] as const) {
    const [name] = taken.get(`${party}_name`) ?? []
    const [first] = taken.get(`${party}_first_name`) ?? []
    // `Vorname` beside `Name`: the last name, unless it holds the first name as well.
    if (name && first && !taken.has(`${party}_last_name`) && !holdsTheSame(rows, name.column.place, first.column.place)) {
      taken.set(`${party}_last_name`, [{ ...name, field: `${party}_last_name` }])
      taken.delete(`${party}_name`)
    }
    const [last] = taken.get(`${party}_last_name`) ?? []
    if (name && last && !first && taken.has(`${party}_name`) && !holdsTheSame(rows, name.column.place, last.column.place)) {
      taken.set(`${party}_first_name`, [{ ...name, field: `${party}_first_name` }])
      taken.delete(`${party}_name`)
    }
    const parts = Math.max(score(`${party}_first_name`), score(`${party}_last_name`))
    if (parts === 0 || score(`${party}_name`) === 0) continue
    if (parts > score(`${party}_name`) && score(`${party}_last_name`) > 0) taken.delete(`${party}_name`)
    else {
      taken.delete(`${party}_first_name`)
      taken.delete(`${party}_last_name`)
    }
  }
  // A middle name stands between two others.
  for (const party of ['ship', 'bill'] as const) if (!taken.has(`${party}_last_name`)) taken.delete(`${party}_middle_name`)
  const [excl] = taken.get('unit_price_excl_vat') ?? []
  if (excl?.vat === null && taken.has('unit_price_incl_vat')) taken.delete('unit_price_excl_vat')
  if (taken.has('unit_price_incl_vat') || taken.has('unit_price_excl_vat')) {
    taken.delete('line_total_incl_vat')
    taken.delete('line_total_excl_vat')
  }
  if (taken.has('weight_g')) taken.delete('weight_kg')
}

/** Claims of needed fields that the name of the column bears out in part only. One of a product's number that does not go with its name is none. */
export function uncertainClaims(taken: Map<Meaning['field'], Claim[]>, rows: readonly (readonly string[])[]): Claim[] {
  const [sku] = taken.get('sku') ?? []
  const [name] = taken.get('name') ?? []
  const unsure = new Set([...taken.values()].flat().filter(({ field, score }) => needed.has(field) && score < sureScore))
  if (sku && name && unsure.has(sku)) {
    const [there, back] = [goesWith(rows, sku.column, name.column), goesWith(rows, name.column, sku.column)]
    const borneOut = there.always && back.always
    if (!borneOut && rows.length > 1) taken.delete('sku')
    // Digits that always stand beside the same name may be the id of a database.
    const written = sku.column.values.some(value => /\p{L}/u.test(value))
    if (borneOut ? there.repeated > 0 && written : rows.length > 1) unsure.delete(sku)
  }
  const [order] = taken.get('order_no') ?? []
  const [recipient] = taken.get('ship_address1') ?? taken.get('bill_address1') ?? taken.get('ship_name') ?? []
  // A number that stands in several rows, always beside the same recipient, is the order's, whatever it is called.
  if (order && recipient && unsure.has(order) && looksLikeOrderNo(order.column.values)) {
    const found = goesWith(rows, order.column, recipient.column)
    if (found.always && found.repeated > 0) unsure.delete(order)
  }
  return [...unsure]
}

/** The column of addresses that hold street, postcode and city in one cell, where no other column has these. */
export function wholeAddresses(taken: Map<Meaning['field'], Claim[]>): Column | undefined {
  if ((['ship_postcode', 'ship_city', 'bill_postcode', 'bill_city'] as const).some(field => taken.has(field))) return undefined
  const column = taken.get('ship_address1')?.[0]?.column
  const read = column?.values.filter(value => wholeAddress(value) !== null).length ?? 0
  return column && read > 0 && read >= column.values.length * 0.5 ? column : undefined
}

/** `Deliver to` may hold the whole address under the name. */
export function takeAddressesAsNames(taken: Map<Meaning['field'], Claim[]>): void {
  for (const party of ['ship', 'bill'] as const) {
    const [name] = taken.get(`${party}_name`) ?? []
    if (!name || taken.has(`${party}_address1`) || !name.column.values.some(value => wholeAddress(value) !== null)) continue
    taken.delete(`${party}_name`)
    taken.set(`${party}_address1`, [{ ...name, field: `${party}_address1` }])
  }
}

/** A weight that is the same on all lines of each order is the parcel's, and so is one beside several items in a cell. */
export function dropWeightsOfParcels(taken: Map<Meaning['field'], Claim[]>, orders: readonly (readonly string[])[][]): void {
  if (taken.has('items')) {
    taken.delete('weight_kg')
    taken.delete('weight_g')
    return
  }
  const [product] = taken.get('sku') ?? taken.get('name') ?? []
  for (const field of ['weight_kg', 'weight_g'] as const) {
    const place = taken.get(field)?.[0]?.column.place
    if (place === undefined || !product) continue
    const several = orders.filter(order => differs(order, product.column.place))
    const weights = new Set(orders.map(([first]) => first?.[place]))
    if (several.length > 0 && weights.size > 1 && !several.some(order => differs(order, place))) taken.delete(field)
  }
}
