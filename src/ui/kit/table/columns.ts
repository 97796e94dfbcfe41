/** The columns of a list, and what a person made of them: which are shown, in which order, how wide. */
import { type ReactNode, useMemo, useState } from 'react'
import { useListPreferences } from '../list-state.ts'

export interface Column<R> {
  /** Names the column in the person's choice, and the sort when it can sort. */
  key: string
  /** Translated. */
  title: string
  cell: (row: R) => ReactNode
  /** Pixels, before the person drags it; 140 unless given. Spare width is shared in proportion. */
  width?: number
  align?: 'end'
  sort?: boolean
  /** Not shown until the person asks for it. */
  hidden?: boolean
}

export const defaultWidth = 140
export const leastWidth = 56
export const mostWidth = 800
/** Of the column with the boxes, and of the one with the menus. */
export const edgeWidth = 44

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
  visible: readonly Column<R>[]
  widthOf: (column: Column<R>) => number
  /** While the edge of a column is dragged; nothing is remembered. */
  drag: (key: string, width: number) => void
  drop: (key: string, width: number) => void
  choice: Choice
  choose: (change: Partial<Choice>) => void
}

export function useColumns<R>(name: string, columns: readonly Column<R>[]): Columns<R> {
  const [choice, choose] = useListPreferences<Choice>(name, noChoice)
  const [dragged, setDragged] = useState<Record<string, number>>({})
  const { order, shown, hidden } = choice
  const ordered = useMemo(() => inOrder(columns, order), [columns, order])
  const visible = useMemo(
    // The first names the row and is always there.
    () => ordered.filter((column, place) => place === 0 || isShown(column, { shown, hidden })),
    [ordered, shown, hidden],
  )
  return {
    ordered,
    visible,
    widthOf: column => dragged[column.key] ?? choice.widths[column.key] ?? column.width ?? defaultWidth,
    drag: (key, width) => setDragged(widths => ({ ...widths, [key]: width })),
    drop: (key, width) => {
      setDragged({})
      choose({ widths: { ...choice.widths, [key]: width } })
    },
    choice,
    choose,
  }
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
