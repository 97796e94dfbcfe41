/** Which rows of a board are drawn: all of a short one, and of a long one those in sight. Paper gets all of them. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** So many rows are drawn without a choice. */
const shortBoard = 60
/** Pixels of a row with one shift in a cell, with its line. */
const usualHeight = 45

interface RowInSight {
  at: number
  /** Pixels of the rows before it that are not drawn. */
  before: number
}

export interface RowsInSight {
  rows: readonly RowInSight[]
  /** Pixels of the rows behind the last one that are not drawn. */
  after: number
  /** Learns the height of a row; null where all are drawn. */
  measure: ((row: HTMLTableRowElement | null) => void) | null
}

/** `kept` rows are drawn wherever they are: the focus stays in them. */
export function useRowsInSight(box: RefObject<HTMLElement | null>, count: number, kept: readonly number[]): RowsInSight {
  const [printed, setPrinted] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    // The browser prints what stands there when these have run.
    window.addEventListener('beforeprint', () => flushSync(() => setPrinted(true)), { signal: stop.signal })
    window.addEventListener('afterprint', () => setPrinted(false), { signal: stop.signal })
    return () => stop.abort()
  }, [])
  const enabled = count > shortBoard && !printed
  const virtual = useVirtualizer({
    count,
    enabled,
    getScrollElement: () => box.current,
    estimateSize: () => usualHeight,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    overscan: 8,
    rangeExtractor: range =>
      [...new Set([...defaultRangeExtractor(range), ...kept.filter(at => at >= 0 && at < count)])].toSorted((a, b) => a - b),
  })
  if (!enabled) return { rows: Array.from({ length: count }, (_, at) => ({ at, before: 0 })), after: 0, measure: null }
  let end = 0
  const rows = virtual.getVirtualItems().map(item => {
    const before = item.start - end
    end = item.end
    return { at: item.index, before }
  })
  return { rows, after: virtual.getTotalSize() - end, measure: virtual.measureElement }
}
