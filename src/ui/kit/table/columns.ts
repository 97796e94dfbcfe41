/** The columns of a list, and what a person made of them: which are shown, in which order, how wide. */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useListPreferences } from '../list-state.ts'

export interface Column<R> {
  /** Names the column in the person's choice, and the sort when it can sort. */
  key: string
  /** Translated. */
  title: string
  cell: (row: R) => ReactNode
  /** Takes its share of the width that is left, and alone may be cut: names, places, texts. Others are as wide as what they hold. */
  flex?: number
  align?: 'end'
  sort?: boolean
  /** Not shown until the person asks for it. */
  hidden?: boolean
}

export const leastWidth = 56
export const mostWidth = 800
/** Of the column with the boxes, and of the one with the menus. */
export const edgeWidth = 40

export interface Choice extends Record<string, unknown> {
  order: string[]
  hidden: string[]
  shown: string[]
  widths: Record<string, number>
}
export const noChoice: Choice = { order: [], hidden: [], shown: [], widths: {} }

export interface Columns<R> {
  /** All, in the person's order. */
  ordered: readonly Column<R>[]
  /** Those that the person wants to see; where there is too little space, the last of them are left out. */
  wanted: readonly Column<R>[]
  /** Pixels that the person dragged a column to. */
  draggedTo: (column: Column<R>) => number | undefined
  /** While the edge of a column is dragged; nothing is remembered. */
  drag: (key: string, width: number) => void
  /** Without a width the column is as wide as what it holds again. */
  drop: (key: string, width?: number) => void
  choice: Choice
  choose: (change: Partial<Choice>) => void
}

export function useColumns<R>(name: string, columns: readonly Column<R>[]): Columns<R> {
  const [choice, choose] = useListPreferences<Choice>(name, noChoice)
  const [dragged, setDragged] = useState<Record<string, number>>({})
  const { order, shown, hidden } = choice
  const ordered = useMemo(() => inOrder(columns, order), [columns, order])
  const wanted = useMemo(
    // The first names the row and is always there.
    () => ordered.filter((column, place) => place === 0 || isShown(column, { shown, hidden })),
    [ordered, shown, hidden],
  )
  const { widths } = choice
  const write = useRef(choose)
  useEffect(() => {
    write.current = choose
  })
  // Rows are drawn again only when something of theirs changes, so the columns stay the same object.
  return useMemo(
    () => ({
      ordered,
      wanted,
      draggedTo: column => dragged[column.key] ?? widths[column.key],
      drag: (key, width) => setDragged(others => ({ ...others, [key]: width })),
      drop: (key, width) => {
        setDragged({})
        const { [key]: _, ...others } = widths
        write.current({ widths: width === undefined ? others : { ...others, [key]: width } })
      },
      choice: { order, hidden, shown, widths },
      choose: change => write.current(change),
    }),
    [ordered, wanted, dragged, order, hidden, shown, widths],
  )
}

export const isShown = <R>(column: Column<R>, choice: Pick<Choice, 'shown' | 'hidden'>): boolean =>
  column.hidden ? choice.shown.includes(column.key) : !choice.hidden.includes(column.key)

function inOrder<R>(columns: readonly Column<R>[], order: readonly string[]): readonly Column<R>[] {
  const [first, ...rest] = columns
  if (!first || order.length === 0) return columns
  const place = (column: Column<R>) => {
    const found = order.indexOf(column.key)
    return found === -1 ? columns.indexOf(column) + 1000 : found
  }
  return [first, ...rest.toSorted((one, other) => place(one) - place(other))]
}
