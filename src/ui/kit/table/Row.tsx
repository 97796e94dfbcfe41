/** One row of a list. It is drawn again only when something of its own changes: what it calls stays the same function. */
import { IconDotsVertical } from '@tabler/icons-react'
import { lazy, memo, type PointerEvent, Suspense, useEffect, useRef } from 'react'
import style from '../DataTable.module.css'
import type { RowKey } from '../list-state.ts'
import type { useT } from '../translate.ts'
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

const interactive = 'a, button, input, label, select, textarea, [role="menu"]'

export const Row = memo(function Row(props: RowProps) {
  const { row, rowKey, id, place, columns, selectable, selected, active, hasMenu, acts, t } = props
  return (
    <tr
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
          <MenuButton {...props} />
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

const fetchMenu = () => import('./RowMenu.tsx')
const RowMenu = lazy(async () => ({ default: (await fetchMenu()).RowMenu }))

function MenuButton({ row, rowKey, menuOpen, acts, t }: RowProps) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !menuOpen) button.current?.focus()
    wasOpen.current = menuOpen
  }, [menuOpen])
  const dotted = (
    <button
      ref={button}
      type="button"
      className={style.dots}
      aria-label={t('Actions')}
      aria-haspopup="menu"
      onPointerEnter={() => void fetchMenu().catch(() => undefined)}
      onClick={() => acts.menu(rowKey)}
    >
      {dots}
    </button>
  )
  if (!menuOpen) return dotted
  return (
    <Suspense fallback={dotted}>
      <RowMenu actions={acts.actions(row)} close={() => acts.menu(null)}>
        <button ref={button} type="button" className={style.dots} aria-label={t('Actions')}>
          {dots}
        </button>
      </RowMenu>
    </Suspense>
  )
}
const dots = <IconDotsVertical size={16} />
