/** The properties of a table: its rows, columns and what can be done with them. */
import type { ReactNode } from 'react'
import type { ListState, RowKey, Selection } from '../list-state.ts'
import type { Column } from './columns.ts'
import type { RowAction } from './RowMenu.tsx'

export interface DataTableProps<R> {
  /** Unique among lists: the user's columns are stored under it. */
  name: string
  /** Read out for screen readers. */
  label: string
  columns: readonly Column<R>[]
  list: ListState<R>
  keyOf: (row: R) => RowKey
  /** Opens a row: click or Enter. Give the first column a `Link` as well, so that a new tab works. */
  open?: (row: R) => void
  /** The row that is open beside the list, marked as current. */
  opened?: RowKey | null
  /** The row that was open in place of the list; the focus returns to it. */
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
  card: (row: R) => ReactNode
}
