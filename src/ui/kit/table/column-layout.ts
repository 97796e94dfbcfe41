/** How wide columns are: as wide as what they hold, spare width for those that flex, the last ones left out where they do not fit. */
import { leastWidth } from './columns.ts'

export interface ColumnContent {
  key: string
  /** Pixels of the widest content seen, its padding included. */
  content: number
  /** Pixels of its title, which is never cut. */
  title: number
  /** Its share of the spare width; 0 for a column that is never cut. */
  flex: number
  /** Pixels that the person dragged it to. */
  dragged: number | undefined
}

export interface ColumnLayout {
  /** Pixels by key, of the columns that are shown. */
  widths: ReadonlyMap<string, number>
  /** Left out for lack of space, in their order. */
  left_out: readonly string[]
  /** Pixels of all columns that are shown. */
  total: number
}

/** Widths move in steps, so that a row with one letter more moves nothing. */
const step = 8
const mostContent = 320
/** A column that flexes is cut down to this, more of it with a larger share, before another column is left out. */
const leastFlexible = 104
const moreFlexible = 48
const mostFlexible = 480

/**
 * Lays columns out in `available` pixels. Where even their least widths are too many, the last columns are left out, unless `scrolls`: then
 * all are shown, and together are wider than what is available.
 */
export function layOutColumns(columns: readonly ColumnContent[], available: number, scrolls: boolean): ColumnLayout {
  const all = columns.map(column => ({ ...column, width: leastOf(column) }))
  let shown = all.length
  while (!scrolls && shown > 1 && widthOf(all.slice(0, shown)) > available) shown--

  const laid = all.slice(0, shown)
  const flexible = laid.filter(({ flex, dragged }) => flex > 0 && dragged === undefined)
  // First what they hold, then the rest by their shares.
  const lacks = flexible.map(({ content, width }) => Math.max(0, Math.min(rounded(content), mostFlexible) - width))
  const granted = Math.min(1, Math.max(0, available - widthOf(laid)) / Math.max(1, sum(lacks)))
  for (const [nth, column] of flexible.entries()) column.width += Math.floor((lacks[nth] ?? 0) * granted)
  const spare = Math.max(0, available - widthOf(laid))
  const shares = sum(flexible.map(({ flex }) => flex))
  for (const column of flexible) column.width += Math.floor((spare * column.flex) / shares)

  return {
    widths: new Map(laid.map(({ key, width }) => [key, width])),
    left_out: all.slice(shown).map(({ key }) => key),
    total: widthOf(laid),
  }
}

function leastOf({ content, title, flex, dragged }: ColumnContent): number {
  if (dragged !== undefined) return dragged
  return Math.max(
    leastWidth,
    rounded(title),
    Math.min(rounded(content), flex > 0 ? leastFlexible + moreFlexible * (Math.min(flex, 3) - 1) : mostContent),
  )
}

const widthOf = (columns: readonly { width: number }[]): number => sum(columns.map(({ width }) => width))
const rounded = (width: number): number => Math.ceil(width / step) * step
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
