/** One row of a list. It is drawn again only when something of its own changes: what it calls stays the same function. */
import { memo, type PointerEvent, useLayoutEffect, useRef } from 'react'
import style from '../DataTable.module.css'
import type { RowKey } from '../list-state.ts'
import type { useT } from '../translate.ts'
import { ActionsButton } from './ActionsButton.tsx'
import { type Column, edgeWidth } from './columns.ts'
import type { RowAction } from './RowMenu.tsx'

export interface RowActs<R> {
  choose: (key: RowKey, range: boolean) => void
  open: (row: R) => void
  actions: (row: R) => readonly RowAction[]
  menu: (key: RowKey | null) => void
  activate: (key: RowKey) => void
}

interface RowProps {
  row: unknown
  rowKey: RowKey
  id: string
  /** Counted from 1 over all pages, the head being the first. */
  place: number
  columns: readonly Column<unknown>[]
  selectable: boolean
  selected: boolean
  active: boolean
  hasMenu: boolean
  menuOpen: boolean
  acts: RowActs<unknown>
  t: ReturnType<typeof useT>
}

const tabStops = 'a[href], button, input'
const interactive = 'a, button, input, label, select, textarea, [role="menu"]'

export const Row = memo(function Row(props: RowProps) {
  const { row, rowKey, id, place, columns, selectable, selected, active, hasMenu, menuOpen, acts, t } = props
  const element = useRef<HTMLTableRowElement>(null)
  // Tab passes through the controls of the active row only, so that what stands below the list is near.
  useLayoutEffect(() => {
    for (const control of element.current?.querySelectorAll<HTMLElement>(tabStops) ?? []) control.tabIndex = active ? 0 : -1
  })
  return (
    <tr
      ref={element}
      id={id}
      aria-rowindex={place}
      aria-selected={selectable ? selected : undefined}
      className={`${style.row} ${selected ? style.selected : ''} ${active ? style.active : ''}`}
      onClick={event => {
        if ((event.target instanceof Element && event.target.closest(interactive)) || getSelection()?.toString()) return
        acts.activate(rowKey)
        if (event.shiftKey && selectable) acts.choose(rowKey, true)
        else acts.open(row)
      }}
    >
      {selectable ? (
        <td className={`${style.check} ${style.stuck}`}>
          <label>
            <input
              type="checkbox"
              aria-label={t('Select row {{row}}', { row: place - 1 })}
              checked={selected}
              onChange={() => {}}
              onClick={event => acts.choose(rowKey, event.shiftKey)}
            />
          </label>
        </td>
      ) : null}
      {columns.map((column, index) => (
        <td
          key={column.key}
          className={`${index === 0 ? `${style.stuck} ${style.stuckEdge}` : ''} ${column.align === 'end' ? style.end : ''}`}
          style={index === 0 && selectable ? afterCheck : undefined}
          onPointerEnter={wholeText}
        >
          {column.cell(row)}
        </td>
      ))}
      {hasMenu ? (
        <td className={style.more}>
          <ActionsButton opened={menuOpen} actions={() => acts.actions(row)} show={opened => acts.menu(opened ? rowKey : null)} />
        </td>
      ) : null}
    </tr>
  )
})

/** What is cut stands whole beside the pointer. */
function wholeText({ currentTarget: cell }: PointerEvent<HTMLTableCellElement>): void {
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent
  else cell.removeAttribute('title')
}

const afterCheck = { insetInlineStart: edgeWidth }
