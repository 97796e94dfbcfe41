/** The rows of a list on a phone. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import style from '../DataTable.module.css'
import type { RowKey } from '../list-state.ts'
import { useT } from '../translate.ts'
import { ActionsButton } from './ActionsButton.tsx'
import type { DataTableProps } from './table-props.ts'

export function Cards<R>({
  list,
  keyOf,
  card,
  open,
  cameFrom,
  selection,
  rowActions,
}: DataTableProps<R> & { card: (row: R) => ReactNode }) {
  const t = useT()
  const [menuOf, setMenuOf] = useState<RowKey | null>(null)
  const last = useRef<HTMLButtonElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const shown = useRef(list.page)
  // A person who comes back goes on from the row that was open, in the middle of the screen: a thumb looks for it there. The outside
  // system is the place to which the list is scrolled.
  useEffect(() => {
    last.current?.focus({ preventScroll: true })
    last.current?.scrollIntoView({ block: 'center' })
  }, [])
  // A new page starts at its top.
  useEffect(() => {
    if (shown.current !== list.page) scroller.current?.scrollTo({ top: 0 })
    shown.current = list.page
  }, [list.page])
  return (
    // Cards that do nothing are scrolled by keyboard too.
    <div ref={scroller} className={style.scroller} aria-busy={list.isStale} tabIndex={open || selection || rowActions ? undefined : 0}>
      <ul className={`${style.cards} ${list.isStale ? style.stale : ''}`} inert={list.isStale}>
        {list.rows.map((row, place) => {
          const key = keyOf(row)
          return (
            <li key={key} className={selection?.has(key) ? style.selected : ''}>
              {selection ? (
                <div className={style.check}>
                  <label>
                    <input
                      type="checkbox"
                      aria-label={t('Select row {{row}}', { row: place + 1 })}
                      checked={selection.has(key)}
                      onChange={event => selection.set([key], event.currentTarget.checked)}
                    />
                  </label>
                </div>
              ) : null}
              {open ? (
                <button ref={key === cameFrom ? last : null} type="button" className={style.card} onClick={() => open(row)}>
                  {card(row)}
                </button>
              ) : (
                <div className={style.card}>{card(row)}</div>
              )}
              {rowActions ? (
                <ActionsButton opened={menuOf === key} actions={() => rowActions(row)} show={opened => setMenuOf(opened ? key : null)} />
              ) : null}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
