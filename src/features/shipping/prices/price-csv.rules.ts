/** Price files: which column is which, and the cells of a row as a price or as mistakes at their cells. */
import { cellText } from '#domain/csv-text.ts'
import { readNumber } from '#domain/decimals.ts'
import { isCurrency, toMinor } from '#domain/money.ts'
import { type PriceColumn, priceColumns, priceWords } from './prices.codes.ts'

const words: Record<PriceColumn | 'max_kg', string> = {
  agent_code: 'agentcode agent courier carrier kurer transportør transportor transporteur',
  shipping_method: 'shippingmethod method service product metode forsendelsesmetode versandart fraktmetode fraktsätt',
  zone: 'zone zon',
  max_g: 'maxg maxgram maxgrams uptog g gram vægtg',
  max_kg: 'maxkg uptokg kg maxweight weight vægt gewicht vekt vikt',
  max_length_mm: 'maxlengthmm maxlength længde länge lengde längd',
  max_side_sum_mm: 'maxsidesummm sidesum maxsidesum',
  volume_divisor: 'volumedivisor divisor volumefactor',
  amount: 'amount price pris preis',
  per_kg_amount: 'perkgamount perkg kgprice',
  currency: 'currency valuta währung',
  valid_from: 'validfrom from fra ab från',
  valid_to: 'validto to until til bis till',
}
const columnOf = new Map(
  Object.entries(words).flatMap(([column, names]) => [
    [column.replaceAll('_', ''), column] as const,
    ...names.split(' ').map(name => [name, column] as const),
  ]),
)

/** One row as text, by column. */
export type PriceCells = Partial<Record<PriceColumn, string>>

/** The names of a file's columns → the cells of its rows. Columns without a meaning are left out. */
export function cellsUnder(headers: readonly string[]): (cells: readonly string[]) => PriceCells {
  const places = headers.map(header => columnOf.get(header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')))
  return cells => {
    const row: PriceCells = {}
    for (const [place, column] of places.entries()) {
      const text = cellText(cells[place] ?? '').slice(0, 200)
      if (text === '' || column === undefined) continue
      const grams = column === 'max_kg' ? gramsOf(text) : text
      const named = column === 'max_kg' ? 'max_g' : priceColumns.find(one => one === column)
      if (named) row[named] ??= grams
    }
    return row
  }
}

const plain = (text: string): string | null => readNumber(text, '.') ?? readNumber(text, ',')

/** What is no number stays as it is, so that the refusal can show it. */
function gramsOf(text: string): string {
  const number = plain(text.replace(/\s*kg$/i, ''))
  return number === null ? text : String(Math.round(Number(number) * 1_000))
}

export interface ReadPrice {
  agent_code: string
  shipping_method: string
  zone: string | null
  max_g: number
  max_length_mm: number | null
  max_side_sum_mm: number | null
  volume_divisor: number | null
  amount: number
  per_kg_amount: number | null
  currency: string
  valid_from: string
  valid_to: string | null
}

interface CellError {
  text: string
  values?: Record<string, string | number>
}
export type CellErrors = Partial<Record<PriceColumn, CellError>>

/** `2026-01-01`, `01.01.2026`, `1/1/2026` and `01-01-2026` (day first) → the first form; null for anything else. */
function dayIn(text: string): string | null {
  const local = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text)
  const [, day = '', month = '', year = ''] = local ?? []
  const iso = local ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text
  return /^\d{4}-\d{2}-\d{2}$/.test(iso) && new Date(`${iso}T00:00:00Z`).toJSON()?.startsWith(iso) === true ? iso : null
}

/** The cells as a price, or what is wrong with them. Whether courier, method and zone exist is checked elsewhere. */
export function readPrice(cells: PriceCells): { price: ReadPrice; errors?: never } | { price?: never; errors: CellErrors } {
  const errors: CellErrors = {}
  const whole = (column: PriceColumn, least: number, most: number): number | null => {
    const text = cells[column] ?? ''
    if (text === '') return null
    const number = plain(text.replace(/(?<=\d)\s*(?:g|mm)$/i, ''))
    const value = number === null ? Number.NaN : Number(number)
    if (Number.isInteger(value) && value >= least && value <= most) return value
    errors[column] = { text: 'Enter a whole number from {{min}} to {{max}}', values: { min: least, max: most } }
    return null
  }
  const currency = (cells.currency ?? '').toUpperCase()
  if (!isCurrency(currency)) errors.currency = { text: priceWords.currency }
  const money = (column: PriceColumn): number | null => {
    const text = cells[column] ?? ''
    if (text === '') return null
    const number = plain(text)
    const minor = number === null || errors.currency ? null : toMinor(number, currency)
    if (minor !== null && minor >= 0 && minor <= 100_000_000) return minor
    if (!errors.currency || number === null) errors[column] = { text: priceWords.amount }
    return null
  }
  const max_g = whole('max_g', 1, 2_000_000)
  if (max_g === null) errors.max_g ??= { text: priceWords.weight }
  const amount = money('amount')
  if (amount === null && !errors.currency) errors.amount ??= { text: priceWords.amount }
  const valid_from = dayIn(cells.valid_from ?? '')
  if (valid_from === null) errors.valid_from = { text: priceWords.day }
  const valid_to = cells.valid_to ? dayIn(cells.valid_to) : null
  if (cells.valid_to && valid_to === null) errors.valid_to = { text: priceWords.day }
  if (valid_from !== null && valid_to !== null && valid_to < valid_from) errors.valid_to = { text: priceWords.backwards }
  const agent_code = cells.agent_code ?? ''
  if (agent_code === '') errors.agent_code = { text: priceWords.courier }
  const shipping_method = cells.shipping_method ?? ''
  if (shipping_method === '') errors.shipping_method = { text: priceWords.method }
  const sizes = {
    max_length_mm: whole('max_length_mm', 1, 20_000),
    max_side_sum_mm: whole('max_side_sum_mm', 1, 60_000),
    volume_divisor: whole('volume_divisor', 100, 20_000),
    per_kg_amount: money('per_kg_amount'),
  }
  if (Object.keys(errors).length > 0 || max_g === null || amount === null || valid_from === null) return { errors }
  return { price: { agent_code, shipping_method, zone: cells.zone || null, max_g, amount, currency, valid_from, valid_to, ...sizes } }
}
