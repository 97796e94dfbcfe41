/** Which of many rows of one height are drawn: those in sight and some on both sides. */

export interface Window {
  first: number
  /** The one after the last. */
  end: number
  /** The row in whose place the first of the drawn elements stands: elements are handed on in a circle from there. */
  base: number
}

/** What is drawn changes only every so many rows, so that most steps of scrolling draw nothing. */
const step = 4

/**
 * The rows to draw after `before`. A jump further than a screen shows each row for a moment only: then no more is drawn than can be
 * seen, and no element changes its place; after a stop, or a slow move, there are some rows on both sides.
 */
export function windowOf(count: number, rowHeight: number, top: number, height: number, before?: Window): Window {
  const seen = Math.floor(top / rowHeight)
  const inSight = Math.ceil(height / rowHeight) + 1
  const leaps = before !== undefined && (seen >= before.end || seen + inSight <= before.first)
  const size = leaps ? inSight : inSight + 3 * step
  const first = Math.max(0, Math.min(leaps ? seen : Math.floor(seen / step) * step - step, count - size))
  const end = Math.min(count, first + size)
  return { first, end, base: leaps || before === undefined || end - first !== before.end - before.first ? first : before.base }
}

/** Which of the drawn elements shows the row at `place`. */
export const elementOf = (place: number, { first, end, base }: Window): number => {
  const size = end - first
  return (((place - base) % size) + size) % size
}

/** How far to scroll so that the row at `place` is in sight; where it already is, not at all. The head covers `head` pixels. */
export function topFor(place: number, rowHeight: number, top: number, height: number, head: number): number {
  const above = place * rowHeight
  const below = above + rowHeight + head - height
  return above < top ? above : Math.max(below, top)
}
