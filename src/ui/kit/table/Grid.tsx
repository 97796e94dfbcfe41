/** The grid itself: a table that is moved through, chosen from and opened by keyboard. */
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useDevice } from '#ui/device/device-storage.ts'
import style from '../DataTable.module.css'
import type { RowKey, Selection } from '../list-state.ts'
import { useT } from '../translate.ts'
import { Body, mostDrawn } from './Body.tsx'
import { type Columns, edgeWidth } from './columns.ts'
import { Head } from './Head.tsx'
import { useGridKeys } from './keys.ts'
import type { RowActs } from './Row.tsx'
import type { DataTableProps } from './table-props.ts'
import { topFor } from './visible-rows.ts'

export function Grid<R>(props: DataTableProps<R> & { chosen: Columns<R> }) {
  const { list, keyOf, chosen: columns, selection, rowActions, label, sort, onSort, open } = props
  const { rows } = list
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLTableElement>(null)
  const density = useDevice('density') ?? 'comfortable'
  const rowHeight = density === 'compact' ? 33 : 37
  const [menuRow, setMenuRow] = useState<RowKey | null>(null)

  const show = (place: number) => {
    const box = scroller.current
    if (!box) return
    const row = rows.length <= mostDrawn ? document.getElementById(`${id}-${place}`) : null
    if (row) row.scrollIntoView({ block: 'nearest' })
    else box.scrollTop = topFor(place, rowHeight, box.scrollTop, box.clientHeight, box.querySelector('thead')?.offsetHeight ?? 0)
  }
  const keys = useGridKeys({ list, keyOf, selection, cameFrom: props.cameFrom ?? null, open, show })

  // A new page starts at its top. The first one stands there already, and asking it to would lay out the whole screen once more.
  const top = useRef({ page: list.page, sort })
  useEffect(() => {
    if (top.current.page === list.page && top.current.sort === sort) return
    top.current = { page: list.page, sort }
    scroller.current?.scrollTo({ top: 0 })
  }, [list.page, sort])

  // A person who comes back goes on from the row that was open, unless the hands are somewhere already.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it happens when the list appears, and never again
  useEffect(() => {
    if (keys.place < 0 || document.activeElement !== document.body) return
    grid.current?.focus({ preventScroll: true })
    show(keys.place)
  }, [])

  // Rows are drawn again only when something of theirs changes, so what they call must stay the same function.
  const { choose, activate } = keys
  const acts = useRef({ choose, open, rowActions })
  useEffect(() => {
    acts.current = { choose, open, rowActions }
  })
  const stable = useMemo<RowActs<R>>(
    () => ({
      choose: (key, range) => acts.current.choose(key, range),
      open: row => acts.current.open?.(row),
      actions: row => acts.current.rowActions?.(row) ?? [],
      menu: setMenuRow,
      activate,
    }),
    [activate],
  )

  const edges = (selection ? edgeWidth : 0) + (rowActions ? edgeWidth : 0)
  const least = columns.visible.reduce((sum, column) => sum + columns.widthOf(column), edges)
  const { wide, scrolled } = useSideways(scroller, least)

  return (
    <div ref={scroller} className={`${style.scroller} ${wide ? style.wide : ''} ${scrolled ? style.scrolled : ''}`}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through, chosen and opened by keyboard, which is what a grid is
        role="grid"
        ref={grid}
        className={`${style.table} ${open ? style.openable : ''}`}
        style={{ minWidth: least }}
        aria-label={label}
        aria-rowcount={list.totalIsMore ? -1 : list.total + 1}
        aria-multiselectable={selection ? true : undefined}
        aria-activedescendant={keys.place >= 0 ? `${id}-${keys.place}` : undefined}
        tabIndex={0}
        onKeyDown={keys.press}
        onFocus={event => {
          if (event.target === event.currentTarget && keys.active === null && rows[0] !== undefined) activate(keyOf(rows[0]))
        }}
      >
        <colgroup>
          {selection ? <col style={{ width: edgeWidth }} /> : null}
          {columns.visible.map(column => (
            <col key={column.key} style={{ width: columns.widthOf(column) }} />
          ))}
          {rowActions ? <col style={{ width: edgeWidth }} /> : null}
        </colgroup>
        <Head
          columns={columns}
          sort={sort}
          onSort={onSort}
          check={selection ? <PageCheck selection={selection} keys={keys.pageKeys} /> : null}
          hasMenu={rowActions !== undefined}
        />
        <Body<R>
          {...{ rows, keyOf, id, rowHeight, scroller, menuRow, selection }}
          active={keys.active}
          opened={props.opened}
          visible={columns.visible}
          span={columns.visible.length + (selection ? 1 : 0) + (rowActions ? 1 : 0)}
          firstPlace={(list.page - 1) * list.limit}
          hasMenu={rowActions !== undefined}
          acts={stable}
        />
      </table>
    </div>
  )
}

/** Chooses all rows of the page, or none. */
function PageCheck({ selection, keys }: { selection: Selection; keys: readonly RowKey[] }) {
  const t = useT()
  const { all, keys: named } = selection
  // Of a hundred thousand rows few are named: those are counted.
  const chosen = useMemo(() => {
    if (named.size === 0) return all ? keys.length : 0
    const here = keys.reduce<number>((count, key) => count + (named.has(key) ? 1 : 0), 0)
    return all ? keys.length - here : here
  }, [all, named, keys])
  return (
    <label>
      <input
        type="checkbox"
        aria-label={t('Select this page')}
        checked={chosen > 0 && chosen === keys.length}
        ref={box => {
          if (box) box.indeterminate = chosen > 0 && chosen < keys.length
        }}
        onChange={event => selection.set(keys, event.currentTarget.checked)}
      />
    </label>
  )
}

/** Whether the columns are wider than the box, and whether it is scrolled towards them: only then does the first one stick. */
function useSideways(scroller: RefObject<HTMLDivElement | null>, least: number): { wide: boolean; scrolled: boolean } {
  const [wide, setWide] = useState(false)
  const [scrolled, setScrolled] = useState(false)
  // The outside system is the box, whose width and place nothing else says.
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const look = () => setWide(least > box.clientWidth)
    const moved = () => setScrolled(box.scrollLeft > 0)
    const sized = new ResizeObserver(look)
    look()
    sized.observe(box)
    box.addEventListener('scroll', moved, { passive: true })
    return () => {
      sized.disconnect()
      box.removeEventListener('scroll', moved)
    }
  }, [scroller, least])
  return { wide, scrolled }
}
