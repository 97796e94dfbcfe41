/** Several items in one cell, as exports with one line per order write them: `2x MUG-01 Mug; 1x CUP`, `sku:MUG-01|quantity:2`, JSON. */
import * as z from 'zod'
import { numberIn } from './column-values.rules.ts'

export interface CellItem {
  sku: string
  name: string
  /** Decimal text. */
  qty: string
  /** Of one piece, as a decimal number with a point; empty where the cell names none. */
  price: string
}

const units = '(?:x|×|\\*|st(?:k|ck)?\\.?|stück|pcs\\.?|pc\\.?|pieces?|ea)'
const leading = new RegExp(`^(\\d{1,6})\\s*${units}(?:\\s*[:-]\\s*|\\s+|(?=\\p{L}))(\\S.*)$`, 'iu')
const trailing = /^(.*\S)\s*(?:[-–,:]\s*)?(?:\s|(?<=\S)(?=×|\*))(?:x|×|\*)\s*(\d{1,6})$/iu
const bracketed = new RegExp(
  `^(.*\\S)\\s*[(\\[]\\s*(?:(?:x|×|\\*|qty|quantity|antal|antall|menge|anzahl)\\s*[:=]?\\s*)?(\\d{1,6})\\s*(?:${units})?\\s*[)\\]]$`,
  'iu',
)
const assigned = /^([^\s:=]+)\s*[:=]\s*(\d{1,6})$/u
const withUnit = /^(.*\S)[\s,:-]+(\d{1,6})\s*(?:st(?:k|ck)\.?|stück|pcs\.?|pieces?)$/iu
const skuInBrackets =
  /^(.*\S)\s*[([]\s*(?:(?:sku|art(?:ikel)?\.?(?:nr)?\.?|varenr\.?|item)\s*[:=#]?\s*)?([\p{L}\d][\p{L}\d._/-]*)\s*[)\]]$/iu
const skuFirst = /^(?=\S*(?:\d|[-_]))([\p{Lu}\d][\p{L}\d._/-]*)(?:\s+[-–:]\s+|\s*:\s+|\s+)(\S.*)$/u
const looksLikeSku = (text: string): boolean => /^[\p{L}\d._/-]{1,64}$/u.test(text) && /\d|[-_]|^\p{Lu}+$/u.test(text)

function named(text: string, qty: string): CellItem {
  const whole = text.trim()
  if (/^\S+$/.test(whole)) return looksLikeSku(whole) ? { sku: whole, name: '', qty, price: '' } : { sku: '', name: whole, qty, price: '' }
  const last = skuInBrackets.exec(whole)
  if (last?.[1] && last[2] && looksLikeSku(last[2])) return { sku: last[2], name: last[1], qty, price: '' }
  const first = skuFirst.exec(whole)
  if (first?.[1] && first[2]) return { sku: first[1], name: first[2], qty, price: '' }
  return { sku: '', name: whole, qty, price: '' }
}

const amount = '(?:\\p{Sc} ?|kr\\.? ?)?\\d[\\d.,]{0,14}(?: ?(?:\\p{Sc}|kr\\.?|[A-Z]{3}))?'
/** `… á 12,50 € (25,00 €)`: the price of a piece behind its name, with or without the sum. */
const priced = new RegExp(`^(.{1,300}?\\S)\\s{1,3}(?:[áà@]|a(?= ?\\p{Sc}))\\s?(${amount})(?:\\s?\\(${amount}\\))?$`, 'u')

/** One piece of a cell with its quantity; null where it has none. */
function pieceOf(text: string): CellItem | null {
  const piece = text.trim()
  // The patterns look back over blanks: they are for names, not for pages of text.
  if (piece.length > 500) return null
  const [, goods, price = ''] = priced.exec(piece) ?? []
  const each = numberIn(price)
  const item = goods && each !== null ? pieceOf(goods) : null
  if (item) return { ...item, price: String(each) }
  const before = leading.exec(piece)
  if (before?.[1] && before[2]) return named(before[2], before[1])
  for (const pattern of [bracketed, trailing, withUnit, assigned]) {
    const after = pattern.exec(piece)
    if (after?.[1] && after[2]) return named(after[1], after[2])
  }
  return null
}

const wordsOf: Record<keyof CellItem | 'total', RegExp> = {
  sku: /^(sku|product_?code|item_?number|article_?number|artikelnummer|varenummer|code|reference)$/i,
  name: /^(name|product_?name|title|product|item|bezeichnung|navn)$/i,
  qty: /^(qty|quantity|antal|antall|menge|anzahl|count)$/i,
  price: /^(price|unit_?price|item_?price|preis|pris)$/i,
  total: /^(total|line_?total|row_?total)$/i,
}

/** `Product Unit Price` → `unit_price`. */
const withoutGoods = (key: string): string =>
  key
    .trim()
    .replace(/^(?:product|item|line)[ _]+(?=\S)/i, '')
    .replaceAll(' ', '_')

/** Named values of one item. */
function itemOf(pairs: readonly (readonly [string, string])[]): CellItem | null {
  const value = (word: keyof typeof wordsOf) =>
    (pairs.find(([key]) => wordsOf[word].test(key.trim())) ?? pairs.find(([key]) => wordsOf[word].test(withoutGoods(key))))?.[1].trim() ??
    ''
  const qty = value('qty')
  const count = numberIn(qty)
  if (count === null || (value('sku') === '' && value('name') === '')) return null
  const total = numberIn(value('total'))
  const unit = numberIn(value('price')) ?? (total === null || count === 0 ? null : total / count)
  return { sku: value('sku'), name: value('name'), qty, price: unit === null ? '' : String(Number(unit.toFixed(6))) }
}

const scalar = z.union([z.string(), z.number()]).transform(String)
const JsonItems = z.array(z.record(z.string(), scalar.catch('')))

function jsonItems(cell: string): CellItem[] | null {
  try {
    const items = JsonItems.parse(JSON.parse(cell)).map(item => itemOf(Object.entries(item)))
    return items.length > 0 && items.every(item => item !== null) ? items : null
  } catch {
    return null
  }
}

const pairOf = /^\s*([\p{L}_ ]{2,30})\s*[:=]\s*(.*)$/su

/** `name:Mug|sku:MUG|quantity:2;name:Cup|…`: values with their names. */
function namedItems(cell: string, between: RegExp, within: string): CellItem[] | null {
  const items = cell
    .split(between)
    .filter(part => part.trim() !== '')
    .map(part => {
      const pairs: [key: string, value: string][] = []
      for (const pair of part.split(within)) {
        const found = pairOf.exec(pair)
        const last = pairs.at(-1)
        if (found?.[1] !== undefined && found[2] !== undefined) pairs.push([found[1], found[2]])
        // A name may hold the sign that stands between the values.
        else if (last) last[1] += within + pair
      }
      return pairs.length >= 2 ? itemOf(pairs) : null
    })
  return items.length > 0 && items.every(item => item !== null) ? items : null
}

const dividers = [/\r\n|\r|\n/, /;/, /\|/, /\s\/\s/, /\s\+\s/, /,\s*/, /<br\s*\/?>/i] as const

/** The items of a cell; null where it is no list of items with quantities. At most 2,000 characters count as one. */
export function itemsOf(cell: string): CellItem[] | null {
  const text = cell.trim()
  if (text === '' || text.length > 20_000) return null
  if (text.startsWith('[')) {
    const items = jsonItems(text)
    if (items) return items
  }
  const items = namedItems(text, /;|\r?\n/, '|') ?? namedItems(text, /\||\r?\n/, ';') ?? namedItems(text, /;|\r?\n|\|/, ',')
  if (items) return items
  const unbroken = unbrokenItems(text)
  if (unbroken) return unbroken
  for (const divider of dividers) {
    const parts = text.split(divider).filter(part => part.trim() !== '')
    if (parts.length > 500) continue
    const pieces = parts.map(pieceOf)
    // One piece is a list where nothing divides it: a comma may belong to a name.
    if (pieces.length > 1 && pieces.every(piece => piece !== null)) return pieces
  }
  const single = pieceOf(text)
  return single && !/[\r\n]/.test(text) ? [single] : null
}

const codeThenCount = /^(?:[\p{L}\d._/-]{2,64}\s+[x×*]\s*\d{1,6}(?:\s+|$)){2,}$/u
const countThenCode = /^(?:\d{1,6}\s*[x×*]\s*[\p{L}\d._/-]{2,64}(?:\s+|$)){2,}$/u

/** `MUG-01 x 2 CUP-02 x 1`: numbers of products and quantities with blanks alone between them. */
function unbrokenItems(text: string): CellItem[] | null {
  const counted = text.length > 2_000 ? null : codeThenCount.test(text) ? 'after' : countThenCode.test(text) ? 'before' : null
  if (!counted) return null
  const words = text.split(/\s+[x×*]\s*|\s*(?<=\d)[x×*]\s+|\s+/u)
  const items: CellItem[] = []
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [first = '', second = ''] = words.slice(at, at + 2)
    items.push(named(counted === 'after' ? first : second, counted === 'after' ? second : first))
  }
  return items.every(item => item.sku !== '') ? items : null
}

/** Values of one cell under each other: the same number of them in several cells of a row are several items. */
export function listOf(cell: string): string[] {
  // Nearly every cell holds one value.
  if (!/[\r\n|;]|,\s/.test(cell)) return [cell]
  for (const divider of [/\r\n|\r|\n/, /\s*\|\s*/, /\s*;\s*/, /\s*,\s+/]) {
    const parts = cell.split(divider).map(part => part.trim())
    if (parts.length > 1 && parts.every(part => part !== '')) return parts
  }
  return [cell]
}
