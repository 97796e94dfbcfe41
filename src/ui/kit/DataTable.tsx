/** The table of every list: sorted and paged by the server, chosen and opened by keyboard, smooth with a hundred thousand rows. */
import { Group } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import style from './DataTable.module.css'
import { EmptyList, NoMatches } from './EmptyState.tsx'
import { ErrorState } from './ErrorState.tsx'
import type { ListState, RowKey, Selection } from './list-state.ts'
import { Skeleton } from './Skeleton.tsx'
import { Cards } from './table/Cards.tsx'
import { type Column, useColumns } from './table/columns.ts'
import { Foot } from './table/Foot.tsx'
import { Grid } from './table/Grid.tsx'
import type { RowAction } from './table/Row.tsx'
import { ColumnTool, ExportTool } from './table/Tools.tsx'
import { useT } from './translate.ts'

export type { Column, RowAction }

export interface DataTableProps<R> {
  /** Unique among lists: under it the person's columns are remembered. */
  name: string
  /** Read out for screen readers. */
  label: string
  columns: readonly Column<R>[]
  list: ListState<R>
  keyOf: (row: R) => RowKey
  /** Opens a row: click or Enter. Give the first column a `Go` link as well, so that a new tab works. */
  open?: (row: R) => void
  /** The row that is open beside the list, marked as current. */
  opened?: RowKey | null
  /** The row that was open in the list's place: whoever comes back stands on it again. */
  cameFrom?: RowKey | null
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

export function DataTable<R>(props: DataTableProps<R>) {
  const { list, card } = props
  const phone = useMediaQuery('(max-width: 48em)', window.matchMedia('(max-width: 48em)').matches)
  const columns = useColumns(props.name, props.columns)
  const cards = card && phone ? card : undefined
  return (
    <div className={style.frame}>
      <div className={style.tools}>
        <div>{props.toolbar}</div>
        <Group gap={4} wrap="nowrap">
          {props.exports ? <ExportTool {...props.exports} /> : null}
          {cards || columns.ordered.length === 0 ? null : <ColumnTool columns={columns} />}
        </Group>
      </div>
      <div className={style.box}>
        {list.isRefreshing ? <div className={style.refreshing} /> : null}
        {list.error ? (
          <ErrorState error={list.error} again={list.refetch} />
        ) : list.isLoading ? (
          <div style={{ padding: '0.75rem' }}>
            <Skeleton shape="rows" rows={12} />
          </div>
        ) : list.rows.length === 0 ? (
          <Nothing {...props} />
        ) : cards ? (
          <Cards {...props} card={cards} />
        ) : (
          <Grid {...props} chosen={columns} />
        )}
        {props.bulk}
        <Foot list={list} {...(props.onPage ? { onPage: props.onPage } : {})} />
      </div>
    </div>
  )
}

function Nothing<R>({ filtered, clearFilters, empty }: DataTableProps<R>) {
  const t = useT()
  if (filtered) return <NoMatches {...(clearFilters ? { clear: clearFilters } : {})} />
  return empty ?? <EmptyList title={t('Nothing here yet')} />
}
