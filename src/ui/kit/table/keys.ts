/** Which row of a list is the active one, and what keys do with it. */
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import type { ListState, RowKey, Selection } from '../list-state.ts'

interface Options<R> {
  list: ListState<R>
  keyOf: (row: R) => RowKey
  selection: Selection | undefined
  /** The row that is active at first. */
  cameFrom: RowKey | null
  open: ((row: R) => void) | undefined
  /** Brings the row at this place into sight. */
  show: (place: number) => void
}

export interface GridKeys {
  active: RowKey | null
  activate: (key: RowKey) => void
  /** Where the active row stands, or -1. */
  place: number
  pageKeys: readonly RowKey[]
  choose: (key: RowKey, range: boolean) => void
  press: (event: KeyboardEvent<HTMLElement>) => void
}

export function useGridKeys<R>({ list, keyOf, selection, cameFrom, open, show }: Options<R>): GridKeys {
  const { rows } = list
  const [active, setActive] = useState(cameFrom)
  const anchor = useRef<RowKey | null>(null)
  const pageKeys = useMemo(() => rows.map(keyOf), [rows, keyOf])
  const indexOf = useMemo(() => new Map(pageKeys.map((key, place) => [key, place])), [pageKeys])

  const rangeTo = useCallback(
    (key: RowKey): readonly RowKey[] => {
      const from = anchor.current === null ? undefined : indexOf.get(anchor.current)
      const to = indexOf.get(key)
      if (from === undefined || to === undefined) return [key]
      return pageKeys.slice(Math.min(from, to), Math.max(from, to) + 1)
    },
    [indexOf, pageKeys],
  )

  const choose = (key: RowKey, range: boolean) => {
    if (!selection) return
    selection.set(range ? rangeTo(key) : [key], range || !selection.has(key))
    if (!range) anchor.current = key
  }

  const place = active === null ? -1 : (indexOf.get(active) ?? -1)
  const move = (to: number) => {
    const key = pageKeys[to]
    if (key === undefined) return
    setActive(key)
    show(to)
  }

  const press = (event: KeyboardEvent<HTMLElement>) => {
    // Rows that answer the question before this one take no keys.
    if (list.isStale) return
    // Keys inside a cell's own control belong to it.
    if (event.target !== event.currentTarget || event.altKey) return
    const row = rows[place]
    const key = pageKeys[place]
    const command = event.ctrlKey || event.metaKey
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    if (step !== undefined) {
      const to = Math.max(0, Math.min(rows.length - 1, place + step))
      const toKey = pageKeys[to]
      if (event.shiftKey && selection && toKey !== undefined) {
        if (anchor.current === null && key !== undefined) anchor.current = key
        selection.set(rangeTo(toKey), true)
      }
      move(to)
    } else if (event.key === 'Home') move(0)
    else if (event.key === 'End') move(rows.length - 1)
    else if (event.key === 'Enter' && row !== undefined && open) open(row)
    else if (event.key === ' ' && key !== undefined && selection) choose(key, event.shiftKey)
    else if (event.key.toLowerCase() === 'a' && command && selection) selection.set(pageKeys, true)
    else if (event.key === 'Escape' && selection && selection.count(list.total) > 0) selection.clear()
    else return
    event.preventDefault()
  }

  return { active, activate: setActive, place, pageKeys, choose, press }
}
