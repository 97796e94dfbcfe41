/** What prices of a file are: of a piece or of a line, with VAT or without, in which currency, and whether they come to the totals. */
import { cellText } from '#domain/csv-text.ts'
import { isCurrency } from '#domain/money.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import type { Column } from './column-evidence.rules.ts'
import { numberIn } from './column-values.rules.ts'
import { bare, type CsvField, fold } from './columns.rules.ts'
import { type Meaning, splitCurrency } from './header-words.rules.ts'
import { csvSentences } from './rejected-rows.rules.ts'
import type { Claim } from './suggested-claims.rules.ts'
import { looked, mostValues, priceFields } from './suggested-columns.rules.ts'

const near = (one: number, other: number): boolean => Math.abs(one - other) <= Math.abs(other) * 0.01

/** A column `Tax` whose values grow with the price holds amounts, not rates. */
export function dropTaxAmounts(taken: Map<Meaning['field'], Claim[]>, rows: readonly (readonly string[])[]): void {
  const numberOf = (cells: readonly string[], field: CsvField) => {
    const [claim] = taken.get(field) ?? []
    return claim ? numberIn(cellText(cells[claim.column.place] ?? '')) : null
  }
  const priced = priceFields.find(field => taken.has(field))
  if (!taken.has('vat_percent') || !priced) return
  const seen = rows.slice(0, mostValues).flatMap(cells => {
    const tax = numberOf(cells, 'vat_percent')
    const price = numberOf(cells, priced)
    return tax && price ? [{ tax, piece: tax / price, line: tax / (price * (numberOf(cells, 'qty') ?? 1)) }] : []
  })
  const [first] = seen
  if (!first || new Set(seen.map(({ tax }) => tax)).size < 2) return
  if (seen.every(({ piece }) => near(piece, first.piece)) || seen.every(({ line }) => near(line, first.line))) taken.delete('vat_percent')
}

/** Prices of a product that grow with its quantity are sums of lines, whatever their column is named. */
export function takeSumsOfLines(taken: Map<Meaning['field'], Claim[]>, rows: readonly (readonly string[])[]): void {
  const [qty] = taken.get('qty') ?? []
  const [product] = taken.get('sku') ?? taken.get('name') ?? []
  if (!qty || !product) return
  for (const [from, to] of [
    ['unit_price_excl_vat', 'line_total_excl_vat'],
    ['unit_price_incl_vat', 'line_total_incl_vat'],
  ] as const) {
    const [claim] = taken.get(from) ?? []
    if (!claim) continue
    const known = new Map<string, { count: number; price: number }>()
    let pieces = 0
    let sums = 0
    for (const cells of rows.slice(0, looked)) {
      const count = numberIn(cellText(cells[qty.column.place] ?? ''))
      const price = numberIn(cellText(cells[claim.column.place] ?? ''))
      if (!count || !price) continue
      const key = cellText(cells[product.column.place] ?? '')
      const other = known.get(key)
      if (!other) known.set(key, { count, price })
      else if (other.count !== count) {
        if (near(price, other.price)) pieces++
        else if (near(price / count, other.price / other.count)) sums++
      }
    }
    if (sums <= pieces) continue
    taken.delete(from)
    if (!taken.has(to)) taken.set(to, [{ ...claim, field: to }])
  }
}

const centWord = /^(?:cents?|centimes?|ore|minor|minorunits?)$/

/** `totalCents`, `price.centAmount`, `Pris (øre)`: whole numbers under a name that says hundredths. */
export const columnsInCents = (columns: readonly Column[]): string[] =>
  columns.flatMap(({ header, values }) => {
    const words = fold(header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).split(/[^a-z0-9]+/)
    return header.length <= 200 &&
      words.some(word => centWord.test(word)) &&
      values.length > 0 &&
      values.every(value => /^-?\d+$/.test(value))
      ? [header]
      : []
  })

const moneySigns: readonly [sign: string, currency: string][] = [
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
]

/** `EUR` of `EUR 12,50` and of `12.50 EUR`. */
function currencyIn(value: string): string | null {
  const [, before, after] = /^(?:([A-Z]{3}) ?\d[\d.,' ]{0,30}|-?\p{Sc}? ?\d[\d.,' ]{0,30}([A-Z]{3}))$/u.exec(value) ?? []
  const code = before ?? after ?? ''
  return isCurrency(code) ? code : null
}

/** The currency of every one of these amounts: `€ 12,50`, `EUR 12,50`. Null where they name none, or several. */
function currencyOfValues(values: readonly string[]): string | null {
  if (values.length === 0) return null
  const sign = moneySigns.find(([sign]) => values.every(value => value.length <= 40 && value.includes(sign) && numberIn(value) !== null))
  if (sign) return sign[1]
  const codes = new Set(values.map(currencyIn))
  const [code = null] = codes
  return codes.size === 1 ? code : null
}

/** `Unit price (£)`: the sign of a currency in the name of a column. */
const currencyOfName = (header: string): string | null =>
  splitCurrency(header).currency ?? moneySigns.find(([sign]) => header.includes(sign))?.[1] ?? null

/**
 * The currency that prices and sums name themselves, by the name of their column (`Preis CHF`, `Price (£)`) or in their cells; where no column is taken for
 * a price or a sum, that of any amounts. Null where they name none, or several.
 */
export function currencyOfPrices(taken: Map<Meaning['field'], Claim[]>, columns: readonly Column[]): string | null {
  const prices = [...priceFields, 'order_total' as const].flatMap(field => (taken.get(field) ?? []).map(({ column }) => column))
  // `CUP 12` may be the number of a product, and the peso of Cuba: an amount has two decimals.
  const amounts = () => columns.filter(({ values }) => values.every(value => /\d[.,]\d{2}(?!\d)/.test(value)))
  const found = new Set(
    (prices.length > 0 ? prices : amounts()).flatMap(column => [
      ...(prices.length > 0 ? [currencyOfName(column.header)] : []),
      currencyOfValues(column.values),
    ]),
  )
  found.delete(null)
  const [currency] = found
  return found.size === 1 && currency ? currency : null
}

const includesVat =
  /^(?:prices?)?(?:tax|taxes|vat)(?:are|is)?incl(?:uded)?$|^prices?incl(?:udes?)?(?:tax|taxes|vat)$|^(?:is)?gross(?:prices?)?$/
const leavesVatOut = /^(?:is)?net(?:prices?)?$/
const says = /^(?:(1|true|yes|ja)|(?:0|false|no|nein|nej|nei))$/i

/** `Tax: Included` and `net` say yes or no: whether the prices of the file contain VAT. Null where orders differ. */
export function vatSaid(columns: readonly Column[]): 'incl' | 'excl' | null {
  for (const { header, values } of columns) {
    const name = bare(header)
    const [answer = '', other] = values
    const said = says.exec(answer)
    if (!said || other !== undefined) continue
    const yes = said[1] !== undefined
    if (includesVat.test(name)) return yes ? 'incl' : 'excl'
    if (leavesVatOut.test(name)) return yes ? 'excl' : 'incl'
  }
  return null
}

/** Whether prices whose name does not say so contain VAT: where totals and taxes stand beside them, they add up in one way only. */
export function vatInPrices(
  taken: Map<Meaning['field'], Claim[]>,
  price: Column,
  perPiece: boolean,
  orders: readonly (readonly string[])[][],
): 'incl' | 'excl' | null {
  const place = (field: Meaning['field']) => taken.get(field)?.[0]?.column.place
  const [qty, total, tax, shipping] = [place('qty'), place('order_total'), place('tax_total'), place('shipping_total')]
  if (total === undefined || tax === undefined || qty === undefined) return null
  let incl = 0
  let excl = 0
  for (const order of orders.slice(0, 200)) {
    const first = (at: number | undefined) =>
      at === undefined ? 0 : (order.map(cells => numberIn(cellText(cells[at] ?? ''))).find(value => value !== null) ?? 0)
    const sum = order.reduce(
      (all, cells) =>
        all + (numberIn(cellText(cells[price.place] ?? '')) ?? 0) * (perPiece ? (numberIn(cellText(cells[qty] ?? '')) ?? 0) : 1),
      0,
    )
    if (first(tax) <= 0 || sum <= 0) continue
    const near = (value: number) => Math.abs(value - first(total)) < 0.015 * order.length + 0.01
    if (near(sum + first(shipping)) || near(sum)) incl++
    else if (near(sum + first(shipping) + first(tax)) || near(sum + first(tax))) excl++
  }
  return incl > excl ? 'incl' : excl > incl ? 'excl' : null
}

/** Whether the lines of the orders come to their totals, with or without freight, taxes and discounts. */
export function sumDoubts(taken: Map<Meaning['field'], Claim[]>, orders: readonly (readonly string[])[][]): Problem[] {
  const [total] = taken.get('order_total') ?? []
  const [qty] = taken.get('qty') ?? []
  const price = priceFields.map(field => taken.get(field)?.[0]).find(claim => claim !== undefined)
  if (!total || !qty || !price || total.column.values.length === 0) return []
  const perPiece = price.field.startsWith('unit_price')
  const numberAt = (cells: readonly string[], { column }: Claim) => numberIn(cellText(cells[column.place] ?? ''))
  const extras = (['shipping_total', 'tax_total'] as const).flatMap(field => taken.get(field)?.[0] ?? [])
  let agree = 0
  let above = 0
  for (const order of orders.slice(0, mostValues)) {
    const first = (claim: Claim) => order.map(cells => numberAt(cells, claim)).find(value => value !== null) ?? null
    const whole = first(total)
    if (whole === null) continue
    const sum = order.reduce((all, cells) => all + (numberAt(cells, price) ?? 0) * (perPiece ? (numberAt(cells, qty) ?? 0) : 1), 0)
    const more = extras.reduce((all, claim) => all + Math.abs(first(claim) ?? 0), 0)
    // A discount, a fee or taxes may stand in the total: far more than that shows that the price or the quantity is another column.
    if (sum <= whole * 1.5 + 0.01 && sum + more >= whole * 0.6 - 0.01) agree++
    else above++
  }
  return above > agree
    ? [{ field: price.field, text: csvSentences.sums_differ, values: { column: price.column.header, total: total.column.header } }]
    : []
}
