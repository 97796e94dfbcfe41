/** Kinds of rules about crates, and the words of their schemas. */

export const crateRuleKinds = ['must', 'must_not', 'alone', 'keep_flat', 'pieces', 'filler', 'fragile_top'] as const
export type CrateRuleKind = (typeof crateRuleKinds)[number]

/** A rule of these kinds is about one crate. */
export const needsCrate = (kind: CrateRuleKind): boolean => kind === 'must' || kind === 'must_not'
/** A rule of pieces may be about one crate or about all; the others are about the product. */
export const mayNameCrate = (kind: CrateRuleKind): boolean => needsCrate(kind) || kind === 'pieces'

export const crateWords = {
  name: 'A box needs a name',
  code: 'Letters, digits, dots, hyphens and underscores, at most 40',
  currency: 'Enter a currency, such as DKK',
  pieces: 'Enter how many items a box holds',
  percent: 'Enter the share of the box that filler takes',
} as const
