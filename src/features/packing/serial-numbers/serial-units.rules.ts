/** Imported serial numbers: which column of a file holds what, a row as a unit, and which unit must not go out. */
import { cellText } from '#domain/csv-text.ts'
import { type DateOrder, detectDates, readDate } from '#domain/dates.ts'
import type { SerialSettings } from '#features/company/companies/companies.schemas.ts'
import type { UnitColumn, UnitState } from './serial-units.codes.ts'

const words: Record<UnitColumn, string> = {
  sku: 'sku stockcode productcode itemcode articleno varenummer artikelnummer',
  serial: 'serial serialno serialnumber sn serienummer serienr seriennummer seriennr imei',
  pack_code: 'packcode pack outerpack carton cartoncode sscc kolli kollikode packungscode karton kartonkode kolliid förpackning pakning',
  lot: 'lot lotno batch batchno parti partinr charge chargennummer lotnummer',
  expiry: 'expiry expires expirydate bestbefore udløb udløbsdato ablaufdatum haltbarbis utløp utløpsdato utgång utgångsdatum',
}
const columnOf = new Map(Object.entries(words).flatMap(([column, names]) => names.split(' ').map(name => [name, column] as const)))

/** The column names of a file → the index of each field; the name of the field that is missing where there is no such column. */
export function unitColumnsOf(headers: readonly string[]): Map<string, number> | 'sku' | 'serial' {
  const places = new Map<string, number>()
  for (const [place, header] of headers.entries()) {
    const column = columnOf.get(header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
    if (column && !places.has(column)) places.set(column, place)
  }
  return places.has('sku') ? (places.has('serial') ? places : 'serial') : 'sku'
}

const dateOrders = ['ymd', 'dmy', 'mdy', 'iso'] as const

/** How these cells write days, by those that can be read at all; undefined where none can. */
export function datesOf(cells: readonly string[]): DateOrder | undefined {
  const days = cells.map(cellText).filter(text => dateOrders.some(order => readDate(text, order, 'UTC')))
  return days.length === 0 ? undefined : detectDates(days).order
}

/** One row as a program would send it. A day that cannot be read stays as it is written, and is refused so. */
export function unitOf(cells: readonly string[], places: ReadonlyMap<string, number>, dates: DateOrder): Record<string, string> {
  const unit: Record<string, string> = {}
  for (const [column, place] of places) {
    const text = cellText(cells[place] ?? '')
    if (text !== '') unit[column] = column === 'expiry' ? (readDate(text, dates, 'UTC')?.slice(0, 10) ?? text) : text
  }
  return { sku: '', serial: '', ...unit }
}

export interface StoredUnit {
  id: number
  sku_key: string
  serial: string
  serial_key: string
  state: UnitState
  pack_code: string | null
}

interface Barred {
  text: string
  values: Record<string, string>
}

/** Why a serial number must not go out with this product, by what is known of it; undefined where it may. */
export function barredBy(
  units: readonly StoredUnit[],
  { sku_key, serial }: { sku_key: string; serial: string },
  mode: SerialSettings['mode'],
): Barred | undefined {
  const own = units.find(unit => unit.sku_key === sku_key)
  if (own?.state === 'recalled') return { text: '{{code}} is recalled and must not go out', values: { code: serial } }
  if (own?.state === 'removed') return { text: '{{code}} was taken out of the stock', values: { code: serial } }
  if (mode !== 'stock') return undefined
  if (own?.state === 'sent') return { text: '{{code}} went out already', values: { code: serial } }
  if (own) return undefined
  const [other] = units
  return other
    ? { text: '{{code}} is a serial number of {{sku}}', values: { code: serial, sku: other.sku_key } }
    : { text: '{{code}} is not among the serial numbers in stock', values: { code: serial } }
}
