/** The table of every list: sorted and paged by the server, chosen and opened by keyboard, smooth with a hundred thousand rows. */
import { Group } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import style from './DataTable.module.css'
import { EmptyList, NoMatches } from './EmptyState.tsx'
import { ErrorState } from './ErrorState.tsx'
import { Skeleton } from './Skeleton.tsx'
import { Cards } from './table/Cards.tsx'
import { type Column, useColumns } from './table/columns.ts'
import { Foot } from './table/Foot.tsx'
import { Grid } from './table/Grid.tsx'
import type { RowAction } from './table/RowMenu.tsx'
import { DisplayTool, ExportTool } from './table/Tools.tsx'
import type { DataTableProps } from './table/table-props.ts'
import { useT } from './translate.ts'

export type { Column, RowAction }

export function DataTable<R>(props: DataTableProps<R>) {
  const { list, card } = props
  const phone = useMediaQuery('(max-width: 48em)', window.matchMedia('(max-width: 48em)').matches)
  const columns = useColumns(props.name, props.columns)
  const cards = phone ? card : undefined
  const [leftOut, setLeftOut] = useState(0)
  return (
    <div className={style.frame}>
      <div className={style.tools}>
        <div>{props.toolbar}</div>
        <Group gap={4} wrap="nowrap">
          {props.exports ? <ExportTool {...props.exports} /> : null}
          {cards || columns.ordered.length === 0 ? null : <DisplayTool columns={columns} leftOut={leftOut} />}
        </Group>
      </div>
      <div className={style.box}>
        {list.isRefreshing ? <div className={style.refreshing} /> : null}
        {list.error ? (
          <ErrorState error={list.error} again={list.refetch} />
        ) : list.isLoading ? (
          <div style={{ padding: 'var(--s-3)' }}>
            <Skeleton shape="rows" rows={12} />
          </div>
        ) : list.rows.length === 0 ? (
          <Nothing {...props} />
        ) : cards ? (
          <Cards {...props} card={cards} />
        ) : (
          <Grid {...props} chosen={columns} onLeftOut={setLeftOut} />
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
