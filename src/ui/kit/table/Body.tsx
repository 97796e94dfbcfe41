/** The rows of a list. Of many only those in sight are drawn, and a row that leaves lends its elements to the one that comes. */
import { type RefObject, startTransition, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import style from '../DataTable.module.css'
import type { RowKey, Selection } from '../list-state.ts'
import { useT } from '../translate.ts'
import type { Column } from './columns.ts'
import { Row, type RowActs } from './Row.tsx'
import { RowSpace } from './RowSpace.tsx'
import { elementOf, type Window, windowOf } from './visible-rows.ts'

/** More rows than this are drawn only where they can be seen. */
export const mostDrawn = 100
/** Before the height of the box is known. */
const firstDrawn = 30
/** Rows that are drawn at once; those further down come after the first paint. */
const drawnAtOnce = 20

interface BodyProps<R> {
  rows: readonly R[]
  keyOf: (row: R) => RowKey
  id: string
  firstPlace: number
  visible: readonly Column<R>[]
  span: number
  rowHeight: number
  scroller: RefObject<HTMLDivElement | null>
  active: RowKey | null
  opened: RowKey | null | undefined
  menuRow: RowKey | null
  selection: Selection | undefined
  hasMenu: boolean
  acts: RowActs<R>
  /** The rows answer the question before this one: they are shown pale, and nothing can be done with them. */
  stale: boolean
  /** Looks how wide what was drawn is. */
  measure: () => void
}

/** Scrolling renders this and nothing above it. */
export function Body<R>(props: BodyProps<R>) {
  const {
    rows,
    keyOf,
    id,
    firstPlace,
    visible,
    span,
    rowHeight,
    scroller,
    active,
    opened,
    menuRow,
    selection,
    hasMenu,
    acts,
    stale,
    measure,
  } = props
  const t = useT()
  const drawn = useWindow(rows.length, rowHeight, scroller)
  const { first, end } = drawn
  // Of many rows only the first window counts: nothing moves while one scrolls.
  const settled = rows.length > mostDrawn ? firstDrawn : end
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows or more of them are measured anew
  useLayoutEffect(() => {
    if (!stale) measure()
  }, [rows, settled, stale, measure])
  return (
    <tbody inert={stale} className={stale ? style.stale : ''}>
      <RowSpace height={first * rowHeight} span={span} />
      {rows.slice(first, end).map((row, nth) => {
        const place = first + nth
        const key = keyOf(row)
        return (
          <Row
            key={rows.length > mostDrawn ? elementOf(place, drawn) : key}
            row={row}
            rowKey={key}
            id={`${id}-${place}`}
            place={firstPlace + place + 2}
            columns={visible as readonly Column<unknown>[]}
            selectable={selection !== undefined}
            selected={selection?.has(key) ?? false}
            active={active === key || opened === key}
            hasMenu={hasMenu}
            menuOpen={menuRow === key}
            acts={acts as RowActs<unknown>}
            t={t}
          />
        )
      })}
      <RowSpace height={(rows.length - end) * rowHeight} span={span} />
    </tbody>
  )
}

function useWindow(count: number, rowHeight: number, scroller: RefObject<HTMLDivElement | null>): Window {
  const many = count > mostDrawn
  const [seen, setSeen] = useState<Window>({ first: 0, end: firstDrawn, base: 0 })
  const [whole, setWhole] = useState(count <= drawnAtOnce)
  const waits = !many && !whole && count > 0
  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(() => startTransition(() => setWhole(true)), 50)
    return () => clearTimeout(timer)
  }, [waits])
  // The outside system is the box that scrolls: its height is asked when it changes, its place with each step.
  useEffect(() => {
    const box = scroller.current
    if (!box || !many) return
    let height = box.clientHeight
    let rest: ReturnType<typeof setTimeout> | undefined
    const look = () =>
      setSeen(seen => {
        const next = windowOf(count, rowHeight, box.scrollTop, height, seen)
        return seen.first === next.first && seen.end === next.end ? seen : next
      })
    // Drawn before the browser paints the step, or it would show a hole.
    const scrolled = () => {
      flushSync(look)
      clearTimeout(rest)
      rest = setTimeout(look, 120)
    }
    const sized = new ResizeObserver(() => {
      height = box.clientHeight
      look()
    })
    look()
    sized.observe(box)
    box.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      sized.disconnect()
      box.removeEventListener('scroll', scrolled)
      clearTimeout(rest)
    }
  }, [many, count, rowHeight, scroller])
  if (!many) return { first: 0, end: whole ? count : Math.min(count, drawnAtOnce), base: 0 }
  return { ...seen, first: Math.min(seen.first, count), end: Math.min(seen.end, count) }
}
