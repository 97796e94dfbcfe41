/** The grid itself: a table that is moved through, chosen from and opened by keyboard. */
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import style from '../DataTable.module.css'
import type { RowKey, Selection } from '../list-state.ts'
import { useT } from '../translate.ts'
import { Body, mostDrawn } from './Body.tsx'
import { layOutColumns } from './column-layout.ts'
import { type Columns, edgeWidth } from './columns.ts'
import { rowHeights, useDensity } from './density.ts'
import { useSideways, useWidths } from './grid-measures.ts'
import { Head } from './Head.tsx'
import { useGridKeys } from './keys.ts'
import type { RowActs } from './Row.tsx'
import type { DataTableProps } from './table-props.ts'
import { topFor } from './visible-rows.ts'

export function Grid<R>(props: DataTableProps<R> & { chosen: Columns<R>; onLeftOut: (count: number) => void }) {
  const { list, keyOf, chosen: columns, selection, rowActions, label, sort, onSort, open, onLeftOut } = props
  const { rows } = list
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLTableElement>(null)
  const rowHeight = rowHeights[useDensity()]
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
  const { width, setWidth, content, measure } = useWidths(props.name, columns.wanted, scroller, grid)
  const { scrolled, more } = useSideways(scroller, grid, setWidth)
  // A small screen is scrolled sideways with a finger; on a large one the last columns are left out.
  const scrolls = useMediaQuery('(max-width: 63.99em)', window.matchMedia('(max-width: 63.99em)').matches)
  // Until the content is known every column is drawn, to be measured.
  const layout = useMemo(() => {
    if (!content || width === 0) return undefined
    const measured = columns.wanted.map(column => ({
      key: column.key,
      content: content.get(column.key)?.content ?? 0,
      title: content.get(column.key)?.title ?? 0,
      flex: column.flex ?? 0,
      dragged: columns.draggedTo(column),
    }))
    return layOutColumns(measured, width - edges, scrolls)
  }, [content, width, edges, scrolls, columns])
  // Other widths alone draw no row again.
  const shown = columns.wanted.length - (layout?.left_out.length ?? 0)
  const visible = useMemo(() => columns.wanted.slice(0, shown), [columns.wanted, shown])
  const leftOut = layout?.left_out.length ?? 0
  useEffect(() => onLeftOut(leftOut), [leftOut, onLeftOut])
  const wide = layout !== undefined && layout.total + edges > width

  return (
    <div className={`${style.grid} ${wide && more ? style.moreBeyond : ''}`}>
      <div ref={scroller} className={`${style.scroller} ${wide ? style.wide : ''} ${scrolled ? style.scrolled : ''}`}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through, chosen and opened by keyboard, which is what a grid is
          role="grid"
          ref={grid}
          className={`${style.table} ${open ? style.openable : ''}`}
          style={layout && { minWidth: layout.total + edges }}
          aria-label={label}
          aria-busy={list.isStale}
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
            {visible.map(column => (
              <col key={column.key} style={{ width: layout?.widths.get(column.key) }} />
            ))}
            {rowActions ? <col style={{ width: edgeWidth }} /> : null}
          </colgroup>
          <Head
            columns={columns}
            visible={visible}
            widths={layout?.widths}
            sort={sort}
            onSort={onSort}
            check={selection ? <PageCheck selection={selection} keys={keys.pageKeys} disabled={list.isStale} /> : null}
            hasMenu={rowActions !== undefined}
          />
          <Body<R>
            {...{ rows, keyOf, id, rowHeight, scroller, menuRow, selection, visible, measure }}
            stale={list.isStale}
            active={keys.active}
            opened={props.opened}
            span={visible.length + (selection ? 1 : 0) + (rowActions ? 1 : 0)}
            firstPlace={(list.page - 1) * list.limit}
            hasMenu={rowActions !== undefined}
            acts={stable}
          />
        </table>
      </div>
    </div>
  )
}

/** Chooses all rows of the page, or none. */
function PageCheck({ selection, keys, disabled }: { selection: Selection; keys: readonly RowKey[]; disabled: boolean }) {
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
        disabled={disabled}
        ref={box => {
          if (box) box.indeterminate = chosen > 0 && chosen < keys.length
        }}
        onChange={event => selection.set(keys, event.currentTarget.checked)}
      />
    </label>
  )
}
