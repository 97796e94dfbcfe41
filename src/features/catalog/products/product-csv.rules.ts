/** Product files: maps columns to fields, and a row to a product or a reason for refusal. */
import { countryCode } from '#domain/country-names.ts'
import { cellText } from '#domain/csv-text.ts'
import { readNumber } from '#domain/decimals.ts'
import { fromMinor, isCurrency, toMinor } from '#domain/money.ts'
import type { Product } from './products.schemas.ts'

const words: Record<string, string> = {
  sku: 'sku stockcode productcode itemcode articleno varenummer artikelnummer',
  name: 'name productname description title varenavn bezeichnung',
  variant: 'variant',
  barcode: 'barcode ean ean13 gtin upc stregkode streckkod strekkode',
  barcodes: 'barcodes allbarcodes stregkoder streckkoder strekkoder',
  outer_barcode: 'outerbarcode cartonbarcode outerean itf14',
  outer_qty: 'outerqty outerquantity cartonqty packsize',
  weight_g: 'weightg weightgrams grams vægtg gewichtg vektg viktg',
  weight_kg: 'weightkg weightkilograms kilograms kg vægtkg gewichtkg vektkg viktkg',
  weight: 'weight vægt gewicht vekt vikt',
  length_mm: 'lengthmm length længde länge lengde längd',
  width_mm: 'widthmm width bredde breite bredd',
  height_mm: 'heightmm height højde höhe høyde höjd',
  bin: 'bin location shelf lagerplads lagerplatz lagerplass lagerplats',
  image_url: 'imageurl image picture',
  hs_code: 'hscode tariff tariffcode commoditycode',
  origin: 'origin countryoforigin oprindelsesland ursprungsland',
  customs_text: 'customstext customsdescription',
  net_weight_g: 'netweightg netweightgrams netweight nettoweight nettogewicht nettovægt nettovikt nettovekt',
  cost_price: 'costprice cost kostpris einkaufspreis inköpspris innkjøpspris',
  cost_currency: 'costcurrency costpricecurrency',
  manufacturer_no:
    'manufacturerno manufacturernumber manufacturersnumber mpn producentnr producentnummer herstellernummer produsentnummer tillverkarnummer',
  customs_flags: 'customsflags flags',
  serial_required: 'serialrequired serial',
  no_barcode: 'nobarcode',
  components: 'components component parts bundleparts bundledele komponenter bestandteile teile komponenten delar deler bestanddele',
  tags: 'tags tag producttags mærker etiketter schlagwörter schlagworte etiketten taggar merkelapper stikord',
}
const fieldOf = new Map(Object.entries(words).flatMap(([field, names]) => names.split(' ').map(name => [name, field] as const)))

/**
 * The column names of a product file → the index of each field; null where there is no SKU.
 * A weight without its unit is in kilograms where no value in the first rows is greater than a person can carry.
 */
export function productColumns(headers: readonly string[], rows: readonly (readonly string[])[] = []): Map<string, number> | null {
  const places = new Map<string, number>()
  for (const [place, header] of headers.entries()) {
    const field = fieldOf.get(header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
    if (field && !places.has(field)) places.set(field, place)
  }
  const weight = places.get('weight')
  if (weight !== undefined) {
    places.delete('weight')
    const unit = rows.some(cells => Number(numberOf(cells[weight] ?? '')) > 60) ? 'weight_g' : 'weight_kg'
    if (!places.has('weight_g') && !places.has('weight_kg')) places.set(unit, weight)
  }
  return places.has('sku') ? places : null
}

const numbers = ['weight_g', 'net_weight_g', 'length_mm', 'width_mm', 'height_mm', 'outer_qty']

/** One row as the product that a shop's program sends. An empty cell changes nothing. */
export function productOf(cells: readonly string[], places: Map<string, number>): Record<string, unknown> {
  const product: Record<string, unknown> = {}
  const values = new Map<string, string>()
  for (const [field, place] of places) {
    if (field === 'tags') continue
    const text = cellText(cells[place] ?? '')
    if (text !== '') values.set(field, text)
  }
  for (const [field, text] of values) {
    if (numbers.includes(field)) product[field] = wholeOf(text)
    // A name is as good as a code; any other text is refused unchanged.
    else if (field === 'origin') product.origin = countryCode(text) ?? text
    else if (field === 'cost_price') product.cost_price = minorOf(text, values.get('cost_currency') ?? '')
    else if (field === 'components') product.components = countedIn(text).map(([sku, quantity]) => ({ sku, quantity }))
    else if (field === 'customs_flags') product.customs_flags = text.toLowerCase().split(/[\s,;|]+/)
    else if (field === 'weight_kg') product.weight_g ??= gramsOf(text)
    else if (field === 'serial_required' || field === 'no_barcode') product[field] = /^(1|true|yes|ja|x)$/i.test(text)
    else if (field !== 'barcode' && field !== 'outer_barcode' && field !== 'barcodes') product[field] = text
  }
  const barcodes: unknown[] = []
  if (values.has('barcode')) barcodes.push({ barcode: values.get('barcode'), quantity: 1 })
  if (values.has('outer_barcode')) barcodes.push({ barcode: values.get('outer_barcode'), quantity: product.outer_qty ?? 1 })
  delete product.outer_qty
  const all = values.get('barcodes')
  if (all !== undefined) barcodes.splice(0, barcodes.length, ...countedIn(all).map(([barcode, quantity]) => ({ barcode, quantity })))
  if (barcodes.length > 0 || all !== undefined) product.barcodes = barcodes
  return product
}

/** `2 x LENS; CAM` → codes with how many of each; a dash alone stands for none. */
function countedIn(text: string): (readonly [code: string, quantity: number])[] {
  if (/^[-–]$/.test(text)) return []
  return text
    .slice(0, 10_000)
    .split(/[,;|]/)
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => {
      const [, quantity = '1', code = part] = /^(\d{1,6})\s*[x×*]\s+(\S.*)$/i.exec(part) ?? []
      return [code, Number(quantity)]
    })
}

/** Codes as one cell of which `countedIn` reads the same; empty where a code holds what divides codes, which changes nothing. */
const countedText = (codes: readonly (readonly [code: string, quantity: number])[]): string =>
  codes.some(([code]) => /[,;|]|^\d+\s*[x×*]\s/i.test(code))
    ? ''
    : codes.map(([code, quantity]) => (quantity === 1 ? code : `${quantity} x ${code}`)).join('; ') || '-'

type Written = Pick<
  Product,
  | (typeof written)[number]
  | 'barcodes'
  | 'components'
  | 'tags'
  | 'customs_flags'
  | 'cost_price'
  | 'cost_currency'
  | 'serial_required'
  | 'no_barcode'
>
const written = [
  ...(['sku', 'name', 'variant', 'weight_g', 'net_weight_g', 'length_mm', 'width_mm', 'height_mm', 'bin'] as const),
  ...(['hs_code', 'origin', 'customs_text', 'manufacturer_no', 'image_url'] as const),
] as const

/** The columns of a file that the import reads as the same products. */
export const exportColumns: readonly string[] = [
  ...written,
  ...['barcodes', 'cost_price', 'cost_currency', 'customs_flags', 'serial_required', 'no_barcode', 'components', 'tags'],
]

export const exportedRow = (product: Written): (string | number | null)[] => [
  ...written.map(name => product[name]),
  countedText(product.barcodes.map(one => [one.barcode, one.quantity])),
  product.cost_price === null || product.cost_currency === null ? null : fromMinor(product.cost_price, product.cost_currency),
  product.cost_currency,
  product.customs_flags.join(', '),
  product.serial_required ? 'yes' : 'no',
  product.no_barcode ? 'yes' : 'no',
  countedText(product.components.map(one => [one.sku, one.quantity])),
  product.tags.join(', '),
]

/** The tags in a row's cell, each once; undefined where it is empty, which changes nothing. */
export function tagsOfRow(cells: readonly string[], places: Map<string, number>): string[] | undefined {
  const text = cellText(cells[places.get('tags') ?? -1] ?? '')
  if (text === '') return undefined
  const names = text
    .slice(0, 2_000)
    .split(/[,;|]/)
    .map(name => name.trim())
    .filter(name => name !== '')
  return [...new Map(names.map(name => [name.toLowerCase(), name])).values()]
}

const numberOf = (text: string): string | null => readNumber(text, '.') ?? readNumber(text, ',')

/** A whole number where the text is one; else the text itself, so that the refusal can show it. Fractions of a gram do not occur, so `2.500` means thousands. */
function wholeOf(text: string): number | string {
  if (/^\d{1,3}(?:[.,]\d{3})+$/.test(text)) return Number(text.replace(/[.,]/g, ''))
  const number = numberOf(text)
  return number === null ? text : Math.round(Number(number))
}
const gramsOf = (text: string): number | string => {
  const number = numberOf(text)
  return number === null ? text : Math.round(Number(number) * 1_000)
}
/** Without a currency it is refused by the product's own rule, whatever the amount. */
function minorOf(text: string, currency: string): number | string {
  const number = numberOf(text)
  const code = currency.toUpperCase()
  return number === null || number.length > 12 ? text : toMinor(number, isCurrency(code) ? code : 'EUR')
}
