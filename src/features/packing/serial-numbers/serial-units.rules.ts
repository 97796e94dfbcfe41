/** Files of serial numbers: which column holds what, and a row as a unit. */
import { cellText } from '#domain/csv-text.ts'
import { type DateOrder, detectDates, readDate } from '#domain/dates.ts'
import type { UnitColumn } from './serial-units.codes.ts'

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
