/**
 * The parts that names of columns are composed of, and how they add up: a role (recipient, bill, customer, line, order), a fact, and what
 * qualifies it. `Leverans förnamn`, `KundenTelefon` and `order_lines.unit_price` are read part by part, without a list of whole names.
 */
import { entriesOf } from '#domain/objects.ts'
import { CsvField, fold, type OtherColumn } from './columns.rules.ts'
import { type PartName, parts } from './header-parts.rules.ts'

export interface Composed {
  field: CsvField | OtherColumn
  score: number
  vat: 'incl' | 'excl' | null
  /** How many known words the name is composed of. */
  words: number
}

const partsOf = new Map<string, PartName[]>()
for (const [part, words] of entriesOf(parts))
  for (const word of words.split(/\s+/)) if (word !== '') partsOf.set(word, [...(partsOf.get(word) ?? []), part])
const longest = Math.max(...[...partsOf.keys()].map(word => word.length))
/** Longer names are texts. */
const longestToken = 60
const mostTokens = 10

/** Letters between the parts of a compound: `Bestellung|s|datum`, `adresse|n`. */
const links: ReadonlySet<string> = new Set(['s', 'n', 'e', 'es', 'en', 'er'])

/** A word as known words one behind the other, the fewest that cover it; null where a piece of it is unknown. */
function segments(token: string): string[] | null {
  if (partsOf.has(token)) return [token]
  if (token.length > longestToken) return null
  const best: (string[] | null)[] = [[]]
  for (let end = 1; end <= token.length; end++) {
    let found: string[] | null = null
    for (let start = Math.max(0, end - longest); start < end; start++) {
      const before = best[start]
      const piece = token.slice(start, end)
      if (!before) continue
      const known = piece.length > 1 && partsOf.has(piece) && (piece.length > 2 || start === 0 || end === token.length)
      const linked = !known && start > 0 && end < token.length && links.has(piece)
      if (!known && !linked) continue
      const cover = known ? [...before, piece] : before
      if (found === null || cover.length < found.length) found = cover
    }
    best.push(found)
  }
  return best[token.length] ?? null
}

/** `Vor- und Nachname`, `For- og efternavn`: the whole name. */
const bothNames = /\b(?:vor|for)(?:-| -)? ?(?:und|og|och|&|\/|\+) ?(?:nachname|zuname|efternavn|etternavn|efternamn)\b/

/** `CustomerPostalNo`, `KUNDE_PLZ`, `Best.-Nr.`, `Order #` → words in lower case without accents. */
const wordsOf = (header: string): string[] =>
  fold(
    header
      .replace(/#/g, ' sign ')
      .replace(/%/g, ' percent ')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  )
    .replace(bothNames, 'name')
    .split(/[^a-z0-9]+/)
    .filter(token => token !== '')

interface Reading {
  known: Map<PartName, number>
  /** The number behind a name: `Address 2`, `title1`. */
  number: number
  unknown: number
  words: number
}

function readingOf(header: string): Reading {
  const known = new Map<PartName, number>()
  let number = 0
  let unknown = 0
  let words = 0
  const tokens = wordsOf(header)
  for (let at = 0; at < tokens.length && at < mostTokens; at++) {
    // `e-mail`, `post nr`, `zip code`: words that are written apart are one part.
    const pair = (tokens[at] ?? '') + (tokens[at + 1] ?? '')
    if (at + 1 < tokens.length && partsOf.has(pair)) {
      for (const part of partsOf.get(pair) ?? []) known.set(part, known.get(part) ?? at)
      words += 2
      at++
      continue
    }
    const [, word = '', digits = ''] = /^(.*?)(\d*)$/.exec(tokens[at] ?? '') ?? []
    if (digits !== '') number = Number(digits)
    if (word === '') continue
    const pieces = segments(word)
    if (!pieces) unknown++
    words += pieces?.length ?? 0
    for (const piece of pieces ?? []) for (const part of partsOf.get(piece) ?? []) known.set(part, known.get(part) ?? at)
  }
  return { known, number, unknown: unknown + Math.max(0, tokens.length - mostTokens), words }
}

const holdsOnly = (known: ReadonlyMap<PartName, number>, ...names: PartName[]): boolean => known.keys().every(part => names.includes(part))

/** `Line No.`, `Pos.-Nr.`: the number of a row in its order. */
export function isRowNumber(header: string): boolean {
  const { known, unknown } = readingOf(header)
  return (
    unknown === 0 && known.has('row') && known.has('number') && holdsOnly(known, 'row', 'line', 'order', 'number', 'internal', 'filler')
  )
}

type Party = 'ship' | 'bill' | 'customer'

const partyFacts = [
  'first_name',
  'middle_name',
  'last_name',
  'company',
  'attention',
  'street_number',
  'addition',
  'postcode',
  'city',
  'region',
  'country',
  'phone',
  'email',
  'street',
  'name',
  'address',
] as const satisfies PartName[]

const fieldOfFact: Partial<Record<PartName, string>> = { addition: 'address2', street: 'address1', address: 'address1' }

const fields = new Map<string, CsvField>(CsvField.options.map(field => [field, field]))
const fieldNamed = (name: string): CsvField | null => fields.get(name) ?? null

/** A fact of a party, for the recipient and for others. Where to reach the recipient is mostly written once, with the customer. */
function partyFields(fact: string, party: Party | null): [CsvField | null, number][] {
  const ship = fieldNamed(`ship_${fact}`)
  if (party === 'ship') return [[ship, 88]]
  if (fact === 'phone' || fact === 'email') return [[ship, party === null ? 72 : 65]]
  const bill = fieldNamed(fact === 'attention' ? 'bill_name' : `bill_${fact}`)
  if (party === null)
    return [
      [ship, 72],
      [bill, 48],
    ]
  return party === 'bill'
    ? [[bill, fact === 'attention' ? 50 : 88]]
    : [
        [bill, 60],
        [ship, 46],
      ]
}

/** What the parts of a name mean together; empty where they mean nothing for an order, or where one of them turns the name around. */
export function composedMeanings(header: string): Composed[] {
  const { known, number, unknown, words } = readingOf(header)
  const has = (...names: PartName[]) => names.some(name => known.has(name))
  if (known.size === 0 || unknown > 0 || has('turning')) return []
  const vat: Composed['vat'] = has('excl') ? 'excl' : has('incl') ? 'incl' : null
  const found = meaningsOfParts(known, number, has)
  return found
    .flatMap(([field, score]) => (field === null ? [] : [{ field, score, vat: priced(field) ? vat : null, words }]))
    .map(meaning => {
      const inclusive = meaning.vat === 'incl' && priced(meaning.field) ? fieldNamed(meaning.field.replace('excl', 'incl')) : null
      return inclusive ? { ...meaning, field: inclusive } : meaning
    })
}

const priced = (field: string): boolean => /^(?:unit_price|line_total)/.test(field)

type Found = [CsvField | OtherColumn | null, number][]
type Has = (...names: PartName[]) => boolean

function meaningsOfParts(known: Map<PartName, number>, number: number, has: Has): Found {
  const party: Party | null = has('ship') ? 'ship' : has('bill') ? 'bill' : has('customer') ? 'customer' : null
  if (has('payment')) return has('date', 'on') ? [['paid_at', 75]] : []
  if (has('comment')) return has('staff') ? [] : has('ship') && !has('customer') ? [['ship_instruction', 75]] : [['note', 78]]
  if (has('staff')) return []
  if (has('currency')) return [['currency', 74]]
  if (has('pickup')) return has('name', 'address', 'city', 'postcode', 'street') ? [] : [['service_point_id', 76]]
  // `Day phone` is where to call by day.
  if ((has('date') && !has('phone')) || (has('created') && holdsOnly(known, 'created', 'on', 'order'))) return dateOf(has)
  const goods = goodsOf(has, party, number)
  if (goods) return goods
  if (has('number') && has('address') && party && !has('order', 'line')) return partyFields('street_number', party)
  if (has('postal') && party && !partyFacts.some(part => known.has(part))) return partyFields('postcode', party)
  const fact = partyFacts.find(part => known.has(part))
  if (fact && !has('line') && !(has('method') && party === 'ship')) return partyOf(fact, party, number, has)
  if (has('method') && (has('ship') || !has('order', 'line', 'bill', 'customer')))
    return [[has('number') ? 'shipping_code' : 'shipping_title', has('ship') ? 84 : 42]]
  return numberOf(known, has, party)
}

function dateOf(has: Has): Found {
  if (has('latest') && (has('ship') || !has('order'))) return [['ship_by', 76]]
  if (has('ship', 'bill', 'line', 'done')) return []
  return [['ordered_at', has('order', 'created') ? 84 : 77]]
}

const ofPlace = ['street', 'address', 'postcode', 'city', 'country', 'phone', 'email'] as const satisfies PartName[]
/** `Order name` numbers the order; `beleg_name` is who is named in the document: the values decide. */
const nameOfOrder: Found = [
  ['order_no', 70],
  ['ship_name', 46],
  ['bill_name', 45],
]
const orderName: Found = [['name', 74]]

function partyOf(fact: (typeof partyFacts)[number], party: Party | null, number: number, has: Has): Found {
  // `Vor- und Nachname` is the whole name, `Postnr. og by` one cell for both.
  if (has('first_name') && has('last_name')) return partyFields('name', party)
  if (fact === 'postcode' && has('city')) return partyFields('postcode', party)
  if (fact === 'street_number' && has('street')) return partyFields('address1', party)
  // `Company code` and `Firma-Nr.` number a company.
  if (fact === 'company' && has('number')) return []
  // The street of a company that is neither the recipient's nor the bill's is the seller's as well.
  if (fact === 'company' && party === null && has(...ofPlace)) return []
  if (number > 2) return []
  if (number === 2 && (fact === 'street' || fact === 'address')) return partyFields('address2', party)
  if (fact === 'name')
    return has('order') && !party ? nameOfOrder : number === 2 ? [] : [...partyFields('name', party), ...(party ? [] : orderName)]
  return partyFields(fieldOfFact[fact] ?? fact, party)
}

/** Facts of goods and their prices; null where the name holds none. */
function goodsOf(has: Has, party: Party | null, number: number): Found | null {
  if (has('discount')) return []
  if (has('barcode')) return [['barcode', 84]]
  if (has('weight')) return has('total', 'ship', 'order') ? [] : [[has('gram') && !has('kilogram') ? 'weight_g' : 'weight_kg', 76]]
  if (has('vat')) {
    const rate = has('percent')
    if (rate || !has('price', 'total', 'amount', 'incl', 'excl'))
      return has('ship') || has('number') || (has('method') && !rate)
        ? []
        : has('order') && !rate
          ? [['tax_total', 70]]
          : [['vat_percent', rate ? 84 : 62]]
    if (!has('incl', 'excl')) return has('unit', 'line') ? [] : [['tax_total', 74]]
  }
  if (has('price', 'total', 'amount') && has('ship')) return [['shipping_total', 76]]
  if (has('cost')) return has('ship') ? [['shipping_total', 76]] : []
  // `Total number of items`, of a line or of the whole order.
  if (has('total') && has('number') && has('line')) return [['qty', 38]]
  if (has('quantity') && has('total')) return has('order') ? [] : [['qty', 60]]
  if (has('quantity') && !has('price')) {
    if (has('done')) return [['qty_done', 84]]
    if (has('open')) return [['qty_open', 84]]
    return [['qty', has('ship') ? 46 : has('order', 'line') ? 84 : 80]]
  }
  if (has('price') && has('total')) return [has('order') ? ['order_total', 72] : ['line_total_excl_vat', 82]]
  if (has('price'))
    return has('order') && !has('line', 'unit') ? [['order_total', 60]] : [['unit_price_excl_vat', has('line', 'unit') ? 88 : 78]]
  if (has('amount') && has('line') && !has('total'))
    return [
      ['qty', 56],
      ['line_total_excl_vat', 55],
    ]
  if (has('total', 'amount') && has('line')) return [['line_total_excl_vat', 82]]
  if (has('total', 'amount') && !party)
    return has('order')
      ? [['order_total', 84]]
      : [
          ['order_total', 66],
          ['line_total_excl_vat', 52],
        ]
  if (has('unit') && !party && !has('name', 'number')) return [['qty', 74]]
  if (has('sku') && !party) return has('title', 'name') ? [['name', 80]] : [['sku', 84]]
  if (has('variant') && !party)
    return has('number')
      ? [
          ['sku', 74],
          ['variant', 44],
        ]
      : [['variant', 80]]
  if (has('title') && party === 'ship') return [['shipping_title', 80]]
  if (has('title') && !party && !has('order')) return [[number > 1 ? 'variant' : 'name', has('line') ? 86 : 76]]
  if (has('line') && has('name')) return [['name', 86]]
  return null
}

/** Numbers, and roles that stand alone. */
function numberOf(known: Map<PartName, number>, has: Has, party: Party | null): Found {
  const internal = has('internal')
  if (has('sign')) return has('order') && !party && !has('line') ? [['order_no', 86]] : []
  if (has('number')) {
    if (has('line') && !party) return internal && has('order') ? [] : [['sku', internal ? 42 : 78]]
    // `beleg_kundennummer` is the customer's number, `customer order number` the order's.
    if (party === 'customer' && (known.get('customer') ?? 0) > (known.get('order') ?? -1)) return [['customer_no', 78]]
    if (has('order') && !has('ship', 'bill'))
      return internal
        ? [
            ['order_no', 78],
            ['external_id', 60],
          ]
        : [['order_no', has('external') ? 50 : 86]]
    return []
  }
  if (known.size > 1 || internal) return []
  if (party) return [[party === 'ship' ? 'ship_name' : 'bill_name', party === 'ship' ? 60 : 52]]
  if (has('order')) return [['order_no', 66]]
  return has('line')
    ? [
        ['name', 70],
        ['items', 60],
      ]
    : []
}
