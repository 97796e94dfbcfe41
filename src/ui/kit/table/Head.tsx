/** The head of a list: what sorts it, and how wide its columns are. */
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import style from '../DataTable.module.css'
import { useT } from '../translate.ts'
import { type Column, type Columns, edgeWidth, leastWidth, mostWidth } from './columns.ts'

interface HeadProps<R> {
  columns: Columns<R>
  visible: readonly Column<R>[]
  /** Pixels by key, once they are known. */
  widths: ReadonlyMap<string, number> | undefined
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
  /** The box that chooses the page, where rows can be chosen. */
  check: ReactNode
  hasMenu: boolean
}

export function Head<R>({ columns, visible, widths, sort, onSort, check, hasMenu }: HeadProps<R>) {
  const t = useT()
  return (
    <thead>
      <tr aria-rowindex={1}>
        {check ? (
          <th className={`${style.check} ${style.stuck}`} scope="col">
            {check}
          </th>
        ) : null}
        {visible.map((column, place) => (
          <HeadCell
            key={column.key}
            column={column}
            left={place > 0 ? undefined : check ? edgeWidth : 0}
            sort={sort}
            onSort={column.sort ? onSort : undefined}
            width={widths?.get(column.key) ?? leastWidth}
            drag={width => columns.drag(column.key, width)}
            drop={width => columns.drop(column.key, width)}
            asFirst={() => columns.drop(column.key)}
          />
        ))}
        {hasMenu ? (
          <th className={style.more} scope="col">
            <span className={style.unseen}>{t('Actions')}</span>
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

interface HeadCellProps<R> {
  column: Column<R>
  /** Where it stays when the list is scrolled sideways. */
  left: number | undefined
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
  width: number
  drag: (width: number) => void
  drop: (width: number) => void
  /** As wide as what it holds again. */
  asFirst: () => void
}

function HeadCell<R>({ column, left, sort, onSort, width, drag, drop, asFirst }: HeadCellProps<R>) {
  const t = useT()
  const up = sort === column.key
  const down = sort === `-${column.key}`
  const Icon = up ? IconArrowUp : down ? IconArrowDown : IconArrowsSort
  const cell = useRef<HTMLTableCellElement>(null)
  return (
    <th
      ref={cell}
      scope="col"
      data-column={column.key}
      className={`${left === undefined ? '' : `${style.stuck} ${style.stuckEdge}`} ${column.align === 'end' ? style.end : ''}`}
      style={left === undefined ? undefined : { insetInlineStart: left }}
      aria-sort={up ? 'ascending' : down ? 'descending' : undefined}
    >
      {onSort ? (
        <button
          type="button"
          className={`${style.sorter} ${up || down ? style.sorted : ''}`}
          onClick={() => onSort(up ? `-${column.key}` : column.key)}
        >
          <span>{column.title}</span>
          <Icon size={16} opacity={up || down ? 1 : 0.45} style={{ flex: 'none' }} />
        </button>
      ) : (
        column.title
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a rule between columns that is moved, which no HTML element is */}
      <div
        className={style.handle}
        role="separator"
        aria-orientation="vertical"
        aria-label={t('Width of {{column}}', { column: column.title })}
        aria-valuenow={Math.round(width)}
        aria-valuemin={leastWidth}
        aria-valuemax={mostWidth}
        tabIndex={-1}
        onPointerDown={event => {
          event.preventDefault()
          const from = event.clientX
          const start = cell.current?.offsetWidth ?? width
          const handle = event.currentTarget
          const at = (clientX: number) => Math.max(leastWidth, Math.min(mostWidth, start + clientX - from))
          handle.setPointerCapture(event.pointerId)
          handle.onpointermove = moved => drag(at(moved.clientX))
          handle.onpointerup = released => {
            handle.onpointermove = null
            handle.onpointerup = null
            drop(at(released.clientX))
          }
        }}
        onDoubleClick={asFirst}
      />
    </th>
  )
}
