/** The table of every list: sorted and paged by the server, chosen and opened by keyboard, smooth with a hundred thousand rows. */
import { ActionIcon, Button, Checkbox, Group, Menu, Popover, Stack, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconArrowDown,
  IconArrowsSort,
  IconArrowUp,
  IconChevronLeft,
  IconChevronRight,
  IconColumns3,
  IconDotsVertical,
  IconDownload,
} from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, type ReactNode, type RefObject, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useDevice } from '#web/device.ts'
import { number } from '#web/format.ts'
import { useT } from '#web/translate.ts'
import style from '#web/ui/DataTable.module.css'
import { NothingMatches, NothingYet } from '#web/ui/Empty.tsx'
import { Failed } from '#web/ui/Failed.tsx'
import { type List, type RowKey, type Selection, useListChoice } from '#web/ui/pages.ts'
import { Waiting } from '#web/ui/Waiting.tsx'

export interface Column<R> {
  /** Names the column in the person's choice, and the sort when it can sort. */
  key: string
  /** Translated. */
  title: string
  cell: (row: R) => ReactNode
  /** Pixels, before the person drags it; 140 unless told. Spare width is shared in proportion. */
  width?: number
  align?: 'end'
  sort?: boolean
  /** Not shown until the person asks for it. */
  hidden?: boolean
}

export interface RowAction {
  label: string
  icon?: ReactNode
  run: () => void
  danger?: boolean
  /** Why it cannot be done now; it is shown, and cannot be clicked. */
  why?: string | null
}

export interface DataTableProps<R> {
  /** Unique among lists: under it the person's columns are remembered. */
  name: string
  /** Read out for screen readers. */
  label: string
  columns: readonly Column<R>[]
  list: List<R>
  keyOf: (row: R) => RowKey
  /** Opens a row: click or Enter. Give the first column a `Go` link as well, so that a new tab works. */
  open?: (row: R) => void
  /** The row that is open beside the list, marked as current. */
  opened?: RowKey | null
  /** `number`, or `-number` for descending. */
  sort?: string
  onSort?: (sort: string) => void
  onPage?: (page: number) => void
  selection?: Selection
  rowActions?: (row: R) => readonly RowAction[]
  /** Left of the column choice: usually a `FilterBar`. */
  toolbar?: ReactNode
  /** Shown under the table when rows are chosen: usually an `ActionBar`. */
  bulk?: ReactNode
  /** When there is nothing at all. */
  empty?: ReactNode
  /** Filters or a search are set: an empty list then offers to clear them. */
  filtered?: boolean
  clearFilters?: () => void
  /** Offers an export of the current view. */
  exports?: { start: (format: 'csv' | 'xlsx') => void; pending?: boolean }
  /** A row on a phone, instead of the table. */
  card?: (row: R) => ReactNode
}

const defaultWidth = 140
const edgeWidth = 44
/** More rows than this are drawn only where they can be seen. */
const mostDrawn = 100

interface Choice extends Record<string, unknown> {
  order: string[]
  hidden: string[]
  shown: string[]
  widths: Record<string, number>
}
const noChoice: Choice = { order: [], hidden: [], shown: [], widths: {} }

export function DataTable<R>(props: DataTableProps<R>) {
  const { list, name, columns, toolbar, card } = props
  const t = useT()
  const phone = useMediaQuery('(max-width: 48em)', window.matchMedia('(max-width: 48em)').matches)
  const [choice, choose] = useListChoice<Choice>(name, noChoice)
  const ordered = useMemo(() => inOrder(columns, choice.order), [columns, choice.order])
  const visible = useMemo(
    () =>
      ordered.filter(
        (column, place) => place === 0 || (column.hidden ? choice.shown.includes(column.key) : !choice.hidden.includes(column.key)),
      ),
    [ordered, choice.shown, choice.hidden],
  )

  return (
    <div className={style.frame}>
      <div className={style.tools}>
        <div>{toolbar}</div>
        <Group gap={4} wrap="nowrap">
          {props.exports ? <ExportMenu {...props.exports} /> : null}
          {card && phone ? null : <ColumnChoice columns={ordered} choice={choice} choose={choose} />}
        </Group>
      </div>
      <div className={style.box}>
        {list.refreshing ? <div className={style.refreshing} /> : null}
        {list.error ? (
          <Failed error={list.error} again={list.again} />
        ) : list.waiting ? (
          <div style={{ padding: '0.75rem' }}>
            <Waiting shape="rows" rows={12} />
          </div>
        ) : list.rows.length === 0 ? (
          props.filtered ? (
            <NothingMatches {...(props.clearFilters ? { clear: props.clearFilters } : {})} />
          ) : (
            (props.empty ?? <NothingYet title={t('Nothing here yet')} />)
          )
        ) : card && phone ? (
          <Cards {...props} card={card} />
        ) : (
          <Grid
            {...props}
            visible={visible}
            widths={choice.widths}
            resize={(key, width) => choose({ widths: { ...choice.widths, [key]: width } })}
          />
        )}
        {props.bulk}
        <Foot list={list} {...(props.onPage ? { onPage: props.onPage } : {})} />
      </div>
    </div>
  )
}

function inOrder<R>(columns: readonly Column<R>[], order: readonly string[]): readonly Column<R>[] {
  const [first, ...rest] = columns
  if (!first || order.length === 0) return columns
  const place = (column: Column<R>) => {
    const found = order.indexOf(column.key)
    return found === -1 ? columns.indexOf(column) + 1000 : found
  }
  return [first, ...rest.toSorted((one, other) => place(one) - place(other))]
}

interface GridProps<R> extends DataTableProps<R> {
  visible: readonly Column<R>[]
  widths: Readonly<Record<string, number>>
  resize: (key: string, width: number) => void
}

function Grid<R>(props: GridProps<R>) {
  const { list, keyOf, visible, widths, selection, rowActions, label, sort, onSort } = props
  const t = useT()
  const id = useId()
  const { rows } = list
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState<RowKey | null>(null)
  const [menuRow, setMenuRow] = useState<RowKey | null>(null)
  const [dragged, setDragged] = useState<Record<string, number>>({})
  const anchor = useRef<RowKey | null>(null)
  const density = useDevice('density') ?? 'comfortable'
  const rowHeight = density === 'compact' ? 35 : 45
  const virtual = rows.length > mostDrawn

  const indexOf = useMemo(() => new Map(rows.map((row, place) => [keyOf(row), place])), [rows, keyOf])
  const body = useRef<(place: number) => void>(undefined)

  // A new page starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolling follows the page, not the rows
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 })
  }, [list.page, sort])

  const [scrolled, setScrolled] = useState(false)

  const rangeTo = useCallback(
    (key: RowKey): RowKey[] => {
      const from = anchor.current === null ? undefined : indexOf.get(anchor.current)
      const to = indexOf.get(key)
      if (from === undefined || to === undefined) return [key]
      return rows.slice(Math.min(from, to), Math.max(from, to) + 1).map(keyOf)
    },
    [indexOf, rows, keyOf],
  )

  const choose = (key: RowKey, range: boolean) => {
    if (!selection) return
    const chosen = !selection.has(key)
    selection.set(range ? rangeTo(key) : [key], range ? true : chosen)
    if (!range) anchor.current = key
  }

  const move = (to: number) => {
    const place = Math.max(0, Math.min(rows.length - 1, to))
    const row = rows[place]
    if (row === undefined) return
    setActive(keyOf(row))
    if (virtual) body.current?.(place)
    else document.getElementById(`${id}-${place}`)?.scrollIntoView({ block: 'nearest' })
  }

  const press = (event: KeyboardEvent<HTMLTableElement>) => {
    // Keys inside a cell's own control belong to it.
    if (event.target !== event.currentTarget || event.altKey) return
    const place = active === null ? -1 : (indexOf.get(active) ?? -1)
    const row = rows[place]
    const command = event.ctrlKey || event.metaKey
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    if (step !== undefined) {
      const to = Math.max(0, Math.min(rows.length - 1, place + step))
      if (event.shiftKey && selection && rows[to] !== undefined) {
        if (anchor.current === null && row !== undefined) anchor.current = keyOf(row)
        selection.set(rangeTo(keyOf(rows[to])), true)
      }
      move(to)
    } else if (event.key === 'Home') move(0)
    else if (event.key === 'End') move(rows.length - 1)
    else if (event.key === 'Enter' && row !== undefined && props.open) props.open(row)
    else if (event.key === ' ' && row !== undefined && selection) choose(keyOf(row), event.shiftKey)
    else if (event.key.toLowerCase() === 'a' && command && selection) selection.set(rows.map(keyOf), true)
    else if (event.key === 'Escape' && selection && selection.count(list.total) > 0) selection.clear()
    else return
    event.preventDefault()
  }

  // Rows are drawn again only when something of theirs changes, so what they call must stay the same function.
  const acts = useRef({ choose, open: props.open, rowActions, setMenuRow, setActive })
  useEffect(() => {
    acts.current = { choose, open: props.open, rowActions, setMenuRow, setActive }
  })
  const stable = useMemo<RowActs<R>>(
    () => ({
      choose: (key, range) => acts.current.choose(key, range),
      open: row => acts.current.open?.(row),
      actions: row => acts.current.rowActions?.(row) ?? [],
      menu: key => acts.current.setMenuRow(key),
      activate: key => acts.current.setActive(key),
    }),
    [],
  )

  const widthOf = (column: Column<R>) => dragged[column.key] ?? widths[column.key] ?? column.width ?? defaultWidth
  const least = visible.reduce((sum, column) => sum + widthOf(column), 0) + (selection ? edgeWidth : 0) + (rowActions ? edgeWidth : 0)
  const pageKeys = rows.map(keyOf)
  const chosenHere = selection ? pageKeys.filter(key => selection.has(key)).length : 0
  const firstPlace = (list.page - 1) * list.limit

  const span = visible.length + (selection ? 1 : 0) + (rowActions ? 1 : 0)

  return (
    <div
      ref={scroller}
      className={`${style.scroller} ${scrolled ? style.scrolled : ''}`}
      onScroll={event => setScrolled(event.currentTarget.scrollLeft > 0)}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through, chosen and opened by keyboard, which is what a grid is
        role="grid"
        className={`${style.table} ${props.open ? style.openable : ''}`}
        style={{ minWidth: least }}
        aria-label={label}
        aria-rowcount={list.totalIsMore ? -1 : list.total + 1}
        aria-multiselectable={selection ? true : undefined}
        aria-activedescendant={active !== null && indexOf.has(active) ? `${id}-${indexOf.get(active)}` : undefined}
        tabIndex={0}
        onKeyDown={press}
        onFocus={event => {
          if (event.target === event.currentTarget && active === null && rows[0] !== undefined) setActive(keyOf(rows[0]))
        }}
      >
        <colgroup>
          {selection ? <col style={{ width: edgeWidth }} /> : null}
          {visible.map(column => (
            <col key={column.key} style={{ width: widthOf(column) }} />
          ))}
          {rowActions ? <col style={{ width: edgeWidth }} /> : null}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {selection ? (
              <th className={`${style.check} ${style.stuck}`} scope="col">
                <label>
                  <input
                    type="checkbox"
                    aria-label={t('Select this page')}
                    checked={chosenHere > 0 && chosenHere === pageKeys.length}
                    ref={box => {
                      if (box) box.indeterminate = chosenHere > 0 && chosenHere < pageKeys.length
                    }}
                    onChange={event => selection.set(pageKeys, event.currentTarget.checked)}
                  />
                </label>
              </th>
            ) : null}
            {visible.map((column, place) => (
              <HeadCell
                key={column.key}
                column={column}
                stuck={place === 0}
                left={selection ? edgeWidth : 0}
                sort={sort}
                onSort={column.sort ? onSort : undefined}
                width={widthOf(column)}
                drag={width => setDragged(widths => ({ ...widths, [column.key]: width }))}
                drop={width => {
                  setDragged({})
                  props.resize(column.key, width)
                }}
              />
            ))}
            {rowActions ? (
              <th className={style.more} scope="col">
                <VisuallyHidden>{t('Actions')}</VisuallyHidden>
              </th>
            ) : null}
          </tr>
        </thead>
        <Body<R>
          {...{ rows, keyOf, id, firstPlace, visible, span, virtual, rowHeight, scroller, active, menuRow }}
          scrollTo={body}
          selection={selection}
          opened={props.opened}
          hasMenu={rowActions !== undefined}
          acts={stable}
        />
      </table>
    </div>
  )
}

interface BodyProps<R> {
  rows: readonly R[]
  keyOf: (row: R) => RowKey
  id: string
  firstPlace: number
  visible: readonly Column<R>[]
  span: number
  virtual: boolean
  rowHeight: number
  scroller: RefObject<HTMLDivElement | null>
  scrollTo: RefObject<((place: number) => void) | undefined>
  active: RowKey | null
  opened: RowKey | null | undefined
  menuRow: RowKey | null
  selection: Selection | undefined
  hasMenu: boolean
  acts: RowActs<R>
}

/** The rows; scrolling renders this and nothing above it. */
function Body<R>({
  rows,
  keyOf,
  id,
  firstPlace,
  visible,
  span,
  virtual,
  rowHeight,
  scroller,
  scrollTo,
  active,
  opened,
  menuRow,
  selection,
  hasMenu,
  acts,
}: BodyProps<R>) {
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    enabled: virtual,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height of a row is all that density changes
  useEffect(() => virtualizer.measure(), [rowHeight])
  useEffect(() => {
    scrollTo.current = place => virtualizer.scrollToIndex(place, { align: 'auto' })
  })
  const drawn = virtual ? virtualizer.getVirtualItems() : rows.map((_row, index) => ({ index, start: 0, end: 0 }))
  const before = virtual ? (drawn[0]?.start ?? 0) : 0
  const after = virtual ? virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0) : 0
  return (
    <tbody>
      {before > 0 ? <Space height={before} span={span} /> : null}
      {drawn.map(({ index }) => {
        const row = rows[index] as R
        const key = keyOf(row)
        return (
          <Row
            key={key}
            row={row}
            rowKey={key}
            id={`${id}-${index}`}
            place={firstPlace + index + 2}
            columns={visible as readonly Column<unknown>[]}
            selectable={selection !== undefined}
            selected={selection?.has(key) ?? false}
            active={active === key || opened === key}
            hasMenu={hasMenu}
            menuOpen={menuRow === key}
            acts={acts as RowActs<unknown>}
          />
        )
      })}
      {after > 0 ? <Space height={after} span={span} /> : null}
    </tbody>
  )
}

const Space = ({ height, span }: { height: number; span: number }) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a spacer cannot be focused
  <tr aria-hidden="true">
    <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
  </tr>
)

interface RowActs<R> {
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
  place: number
  columns: readonly Column<unknown>[]
  selectable: boolean
  selected: boolean
  active: boolean
  hasMenu: boolean
  menuOpen: boolean
  acts: RowActs<unknown>
}

const interactive = 'a, button, input, label, select, textarea, [role="menu"]'

const Row = memo(function Row({ row, rowKey, id, place, columns, selectable, selected, active, hasMenu, menuOpen, acts }: RowProps) {
  const t = useT()
  return (
    <tr
      id={id}
      aria-rowindex={place}
      aria-selected={selectable ? selected : undefined}
      className={`${style.row} ${selected ? style.selected : ''} ${active ? style.active : ''}`}
      onClick={event => {
        if ((event.target as Element).closest(interactive) || getSelection()?.toString()) return
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
          style={index === 0 && selectable ? { insetInlineStart: edgeWidth } : undefined}
        >
          {column.cell(row)}
        </td>
      ))}
      {hasMenu ? (
        <td className={style.more}>
          {menuOpen ? (
            <Menu opened onClose={() => acts.menu(null)} position="bottom-end" returnFocus>
              <Menu.Target>
                <button type="button" className={style.dots} aria-label={t('Actions')}>
                  <IconDotsVertical size={16} />
                </button>
              </Menu.Target>
              <Menu.Dropdown>
                {acts.actions(row).map(action => (
                  <Menu.Item
                    key={action.label}
                    leftSection={action.icon}
                    disabled={Boolean(action.why)}
                    {...(action.danger ? { color: 'brick' } : {})}
                    onClick={action.run}
                  >
                    {action.label}
                    {action.why ? (
                      <Text size="xs" c="dimmed">
                        {action.why}
                      </Text>
                    ) : null}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          ) : (
            <button type="button" className={style.dots} aria-label={t('Actions')} aria-haspopup="menu" onClick={() => acts.menu(rowKey)}>
              <IconDotsVertical size={16} />
            </button>
          )}
        </td>
      ) : null}
    </tr>
  )
})

interface HeadCellProps<R> {
  column: Column<R>
  stuck: boolean
  left: number
  sort: string | undefined
  onSort: ((sort: string) => void) | undefined
  width: number
  drag: (width: number) => void
  drop: (width: number) => void
}

function HeadCell<R>({ column, stuck, left, sort, onSort, width, drag, drop }: HeadCellProps<R>) {
  const t = useT()
  const up = sort === column.key
  const down = sort === `-${column.key}`
  const Icon = up ? IconArrowUp : down ? IconArrowDown : IconArrowsSort
  const cell = useRef<HTMLTableCellElement>(null)
  return (
    <th
      ref={cell}
      scope="col"
      className={`${stuck ? `${style.stuck} ${style.stuckEdge}` : ''} ${column.align === 'end' ? style.end : ''}`}
      style={stuck ? { insetInlineStart: left } : undefined}
      aria-sort={up ? 'ascending' : down ? 'descending' : undefined}
    >
      {onSort ? (
        <button
          type="button"
          className={`${style.sorter} ${up || down ? style.sorted : ''}`}
          onClick={() => onSort(up ? `-${column.key}` : column.key)}
        >
          <span>{column.title}</span>
          <Icon size={14} opacity={up || down ? 1 : 0.45} style={{ flex: 'none' }} />
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
        aria-valuemin={56}
        aria-valuemax={800}
        tabIndex={-1}
        onPointerDown={event => {
          event.preventDefault()
          const from = event.clientX
          const start = cell.current?.offsetWidth ?? width
          const handle = event.currentTarget
          const at = (clientX: number) => Math.max(56, Math.min(800, start + clientX - from))
          handle.setPointerCapture(event.pointerId)
          handle.onpointermove = moved => drag(at(moved.clientX))
          handle.onpointerup = released => {
            handle.onpointermove = null
            handle.onpointerup = null
            drop(at(released.clientX))
          }
        }}
        onDoubleClick={() => drop(column.width ?? defaultWidth)}
      />
    </th>
  )
}

function Cards<R>({ list, keyOf, card, open, selection }: DataTableProps<R> & { card: (row: R) => ReactNode }) {
  const t = useT()
  return (
    <div className={style.scroller}>
      <ul className={style.cards}>
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
              <button type="button" onClick={() => open?.(row)}>
                {card(row)}
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Foot<R>({ list, onPage }: { list: List<R>; onPage?: (page: number) => void }) {
  const t = useT()
  if (list.waiting || list.error || (list.total === 0 && list.news === 0)) return null
  const first = (list.page - 1) * list.limit + 1
  const last = first + list.rows.length - 1
  const total = list.totalIsMore ? t('more than {{total}}', { total: number(list.total) }) : number(list.total)
  const more = list.totalIsMore || last < list.total
  return (
    <div className={style.foot}>
      <span role="status">
        {list.rows.length === 0 ? '' : t('{{first}}–{{last}} of {{total}}', { first: number(first), last: number(last), total })}
      </span>
      {list.news > 0 ? (
        <Button size="compact-sm" variant="light" onClick={list.showNews}>
          {t('Show {{count}} changes', { count: list.news })}
        </Button>
      ) : null}
      {onPage ? (
        <Group gap={4}>
          <ActionIcon aria-label={t('Previous page')} disabled={list.page <= 1} onClick={() => onPage(list.page - 1)} size="lg">
            <IconChevronLeft size={18} />
          </ActionIcon>
          <span>{t('Page {{page}}', { page: number(list.page) })}</span>
          <ActionIcon aria-label={t('Next page')} disabled={!more} onClick={() => onPage(list.page + 1)} size="lg">
            <IconChevronRight size={18} />
          </ActionIcon>
        </Group>
      ) : null}
    </div>
  )
}

function ExportMenu({ start, pending }: { start: (format: 'csv' | 'xlsx') => void; pending?: boolean }) {
  const t = useT()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={t('Export this view')}>
          <ActionIcon size="lg" aria-label={t('Export this view')} loading={pending ?? false}>
            <IconDownload size={18} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => start('xlsx')}>Excel</Menu.Item>
        <Menu.Item onClick={() => start('csv')}>CSV</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface ColumnChoiceProps<R> {
  columns: readonly Column<R>[]
  choice: Choice
  choose: (change: Partial<Choice>) => void
}

function ColumnChoice<R>({ columns, choice, choose }: ColumnChoiceProps<R>) {
  const t = useT()
  const [first, ...others] = columns
  if (!first) return null
  const isShown = (column: Column<R>) => (column.hidden ? choice.shown.includes(column.key) : !choice.hidden.includes(column.key))
  const show = (column: Column<R>, shown: boolean) => {
    const name = column.hidden ? 'shown' : 'hidden'
    const others = choice[name].filter(key => key !== column.key)
    choose({ [name]: shown === Boolean(column.hidden) ? [...others, column.key] : others })
  }
  const shift = (place: number, by: number) => {
    const keys = others.map(column => column.key)
    const [moved] = keys.splice(place, 1)
    if (moved !== undefined) keys.splice(place + by, 0, moved)
    choose({ order: keys })
  }
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={t('Columns')}>
          <ActionIcon size="lg" aria-label={t('Columns')}>
            <IconColumns3 size={18} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p="sm" maw={320} style={{ maxHeight: '60dvh', overflow: 'auto' }}>
        <Stack gap={4}>
          {others.map((column, place) => (
            <Group key={column.key} justify="space-between" wrap="nowrap" gap="xs">
              <Checkbox
                size="sm"
                label={column.title}
                checked={isShown(column)}
                onChange={event => show(column, event.currentTarget.checked)}
              />
              <Group gap={0} wrap="nowrap">
                <ActionIcon
                  aria-label={t('Move {{column}} left', { column: column.title })}
                  disabled={place === 0}
                  onClick={() => shift(place, -1)}
                >
                  <IconArrowUp size={14} />
                </ActionIcon>
                <ActionIcon
                  aria-label={t('Move {{column}} right', { column: column.title })}
                  disabled={place === others.length - 1}
                  onClick={() => shift(place, 1)}
                >
                  <IconArrowDown size={14} />
                </ActionIcon>
              </Group>
            </Group>
          ))}
          <Button size="compact-sm" variant="subtle" mt={4} onClick={() => choose(noChoice)}>
            {t('As it was at first')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
