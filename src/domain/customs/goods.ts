/** Goods as customs see them: their codes, what is vague, and what is missing. */

/** What customs or couriers treat apart. */
export const goodsFlags = ['food', 'excise', 'alcohol', 'battery', 'textile', 'restricted'] as const
export type GoodsFlag = (typeof goodsFlags)[number]

export interface Amount {
  /** Minor units. */
  amount: number
  currency: string
}

/** Goods of one kind in a parcel. */
export interface Goods {
  sku: string | null
  description: string
  quantity: number
  hs_code: string | null
  origin: string | null
  /** Of the whole line, after its discount, without VAT, freight and insurance. */
  value: Amount | null
  /** Of the whole line; declared where it was given away. */
  cost?: Amount | null
  net_g: number | null
  gross_g?: number | null
  flags?: readonly GoodsFlag[]
  manufacturer_no?: string | null
  gtin?: string | null
}

/** Digits alone; dots and blanks are how people write them. */
export const plainHsCode = (written: string): string => written.replace(/[\s.]/g, '')

/** 6 digits world-wide, 8 at export from the Union, 10 or 11 at import. */
export const isHsCode = (written: string): boolean => /^\d{6,11}$/.test(plainHsCode(written))

/** The chapter is the first two digits, 01 to 97; 77 is kept free. */
export const hsChapter = (written: string): number | null => {
  const chapter = Number(plainHsCode(written).slice(0, 2))
  return chapter >= 1 && chapter <= 97 && chapter !== 77 ? chapter : null
}

/** Lines that say nothing. After the Commission’s list of terms that are no acceptable description of goods. */
const vague = new Set(
  [
    'accessories accessory apparel appliances articles assorted bag bags books box chemicals clothes clothing components consumer goods',
    'cosmetics decoration electronics electronic equipment fashion food footwear fittings furniture gear general cargo gift gifts goods',
    'hardware household items item jewellery leather machine machinery merchandise metal miscellaneous misc order parcel part parts personal effects',
    'plastic plastics present product products sample samples shoes spare parts sports goods stuff textile textiles tools toys various wearing apparel',
  ]
    .join(' ')
    .split(' '),
)
const vaguePairs = new Set([
  'consumer goods',
  'general cargo',
  'household items',
  'personal effects',
  'spare parts',
  'sports goods',
  'wearing apparel',
  'electronic goods',
  'gift items',
])

/** Whether a description is such a word and nothing else: `Clothes` is, `Clothes hanger, wood` is not. */
export function isVague(description: string): boolean {
  const text = description
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '')
  return vague.has(text) || vaguePairs.has(text)
}

/** Couriers print so many letters. */
export const longestDescription = 50

/** `T-shirt`, `knitted cotton`, `for wearing` → one description, cut at a word. */
export function describedGoods(parts: readonly string[]): string {
  const text = parts
    .map(part => part.trim().replace(/[,;.]+$/, ''))
    .filter(part => part !== '')
    .join(', ')
  if (text.length <= longestDescription) return text
  const cut = text.slice(0, longestDescription + 1)
  const at = cut.lastIndexOf(' ')
  return (at > longestDescription / 2 ? cut.slice(0, at) : text.slice(0, longestDescription)).replace(/[,;\s]+$/, '')
}

/** What is declared: the value, of what is given away the cost price; null where there is neither. */
export function declaredValue({ value, cost }: Pick<Goods, 'value' | 'cost'>): Amount | null {
  if (value && value.amount > 0) return value
  return cost && cost.amount > 0 ? cost : null
}

/** Lines of equal code, origin and description, and of one currency, become one. */
export function mergedGoods<T extends Goods>(lines: readonly T[]): T[] {
  const merged = new Map<string, T>()
  for (const line of lines) {
    const key = JSON.stringify([
      line.hs_code,
      line.origin,
      line.description.trim().toLowerCase(),
      line.value?.currency ?? null,
      line.value === null,
    ])
    const before = merged.get(key)
    merged.set(key, before ? { ...before, ...sumOf(before, line) } : line)
  }
  return [...merged.values()]
}

const added = (one: number | null | undefined, other: number | null | undefined): number | null =>
  typeof one === 'number' && typeof other === 'number' ? one + other : null

const sumOf = (one: Goods, other: Goods) => ({
  quantity: one.quantity + other.quantity,
  value: one.value && other.value ? { amount: one.value.amount + other.value.amount, currency: one.value.currency } : null,
  net_g: added(one.net_g, other.net_g),
  gross_g: added(one.gross_g, other.gross_g),
})
