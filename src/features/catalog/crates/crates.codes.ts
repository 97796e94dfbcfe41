/** Kinds of rules about crates, and the words of their schemas. */

export const crateRuleKinds = ['must', 'must_not', 'alone', 'keep_flat', 'pieces', 'filler', 'fragile_top'] as const
export type CrateRuleKind = (typeof crateRuleKinds)[number]

/** A rule of these kinds is about one crate. */
export const needsCrate = (kind: CrateRuleKind): boolean => kind === 'must' || kind === 'must_not'
/** A rule of pieces may be about one crate or about all; the others are about the product. */
export const mayNameCrate = (kind: CrateRuleKind): boolean => needsCrate(kind) || kind === 'pieces'

const sortColumns = ['position', 'code', 'name', 'cost', 'stock'] as const
export type CrateTypeSort = (typeof sortColumns)[number] | `-${(typeof sortColumns)[number]}`
export const crateTypeSorts = sortColumns.flatMap((column): CrateTypeSort[] => [column, `-${column}`])

export const crateWords = {
  name: 'A box needs a name',
  code: 'Letters, digits, dots, hyphens and underscores, at most 40',
  currency: 'Enter a currency, such as DKK',
  pieces: 'Enter how many items a box holds',
  percent: 'Enter the share of the box that filler takes',
} as const

/** Whether the main company wants to be warned of the stock. */
export const isLow = ({ active, stock, low_stock }: { active: boolean; stock: number | null; low_stock: number | null }): boolean =>
  active && stock !== null && low_stock !== null && stock <= low_stock
