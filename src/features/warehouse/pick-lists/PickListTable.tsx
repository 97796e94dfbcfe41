/** The list of pick lists: found, filtered, and how far each wagon is. */
import { Button, Text } from '@mantine/core'
import { useMemo } from 'react'
import { listCode } from '#domain/codes.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import style from './PickLists.module.css'
import { Done, ListBadge, metresWord, stateWord, typeWord, wagonWord } from './pick-list.labels.tsx'
import { listStates, listTypes } from './pick-lists.codes.ts'
import { pickLists } from './pick-lists.contract.ts'
import type { PickListRow } from './pick-lists.schemas.ts'
import type { ListProps } from './pick-lists-url.client.ts'

const keyOf = (row: PickListRow) => row.id
const mostWagons = 12

export function PickListTable({ url, setUrl, urlWith, cameFrom }: ListProps & { cameFrom: number | null }) {
  const t = useT()
  const list = usePagedList(
    pickLists.search,
    {
      query: url.query,
      page: url.page,
      limit: 50,
      sort: url.sort,
      ...(url.state.length > 0 && { state: url.state }),
      ...(url.type.length > 0 && { type: url.type }),
    },
    { live: ['pick_list'] },
  )

  const columns = useMemo<Column<PickListRow>[]>(
    () => [
      {
        key: 'id',
        title: t('List'),
        cell: row => (
          <Link to="/lists/pick" search={urlWith({ id: row.id })} className={style.number}>
            {listCode('PL', row.id)}
          </Link>
        ),
      },
      { key: 'state', title: t('Status'), cell: row => <ListBadge state={row.state} /> },
      { key: 'type', title: t('Type'), cell: row => typeWord(row.type) },
      { key: 'progress', title: t('Progress'), cell: row => <Done done={row.lines_done} of={row.line_count} /> },
      { key: 'wagons', title: t('Wagons'), flex: 1, cell: row => <Wagons row={row} /> },
      { key: 'orders', title: t('Orders'), align: 'end', cell: row => number(row.order_count) },
      { key: 'pieces', title: t('Items'), align: 'end', hidden: true, cell: row => number(row.piece_count) },
      { key: 'stops', title: t('Stops'), align: 'end', hidden: true, cell: row => number(row.stop_count) },
      { key: 'walk', title: t('Distance'), align: 'end', cell: row => metresWord(row.metres) },
      { key: 'due', title: t('Ship by'), cell: row => (row.ship_by ? <RelativeTime at={row.ship_by} as="age" /> : '–') },
      {
        key: 'pickers',
        title: t('Pickers'),
        flex: 1,
        cell: row => [...new Set(row.wagons.flatMap(wagon => wagon.user_name ?? []))].join(', ') || '–',
      },
      { key: 'created', title: t('Created'), cell: row => <RelativeTime at={row.created_at} as="age" /> },
      { key: 'by', title: t('Made by'), hidden: true, cell: row => row.created_by_name },
    ],
    [t, urlWith],
  )

  const views: View[] = [
    { key: 'all', title: t('All'), search: {} },
    { key: 'running', title: t('Running'), search: { state: ['open', 'picking', 'picked', 'packing'] } },
    { key: 'open', title: t('Not started'), search: { state: ['open'] } },
    { key: 'picked', title: t('To be packed'), search: { state: ['picked', 'packing'] } },
    { key: 'longest', title: t('Longest routes'), search: { sort: 'walk' } },
  ]
  const filters: Filter[] = [
    {
      key: 'state',
      label: t('Status'),
      kind: 'many',
      options: listStates.map(value => ({ value, label: stateWord(value) })),
      value: url.state,
      set: state => setUrl({ state: state }),
    },
    {
      key: 'type',
      label: t('Type'),
      kind: 'many',
      options: listTypes.map(value => ({ value, label: typeWord(value) })),
      value: url.type,
      set: type => setUrl({ type: type }),
    },
    {
      key: 'sort',
      label: t('Sort by'),
      kind: 'one',
      options: [
        { value: 'oldest', label: t('Oldest first') },
        { value: 'orders', label: t('Most orders first') },
        { value: 'walk', label: t('Longest route first') },
      ],
      value: url.sort === 'newest' ? [] : [url.sort],
      set: ([sort = 'newest']) => setUrl({ sort: sort }),
    },
  ]

  return (
    <DataTable
      name="pick-lists"
      label={t('Pick lists')}
      columns={columns}
      list={list}
      keyOf={keyOf}
      open={row => setUrl({ id: row.id })}
      cameFrom={cameFrom}
      onPage={page => setUrl({ page })}
      toolbar={
        <FilterBar
          name="pick-lists"
          search={{
            value: url.query,
            set: query => setUrl({ query }, { replace: true }),
            label: t('List, order, tote or picker'),
          }}
          filters={filters}
          views={views}
        />
      }
      filtered={url.query !== '' || url.state.length > 0 || url.type.length > 0}
      clearFilters={() => setUrl({ query: '', state: [], type: [] })}
      empty={
        <EmptyList
          title={t('No pick lists yet')}
          action={
            <Button component={Link} to="/lists/pick" search={{ tab: 'new' }}>
              {t('New pick list')}
            </Button>
          }
        >
          {t('A list puts waiting orders on wagons and finds the shortest route.')}
        </EmptyList>
      }
      card={row => (
        <RowCard>
          <RowCardLine>
            <strong>{listCode('PL', row.id)}</strong>
            <ListBadge state={row.state} />
          </RowCardLine>
          <Done done={row.lines_done} of={row.line_count} />
          <Text size="sm" c="dimmed">
            {t('{{count}} orders', { count: row.order_count })} · {metresWord(row.metres)}
          </Text>
        </RowCard>
      )}
    />
  )
}

/** A small bar for each wagon, filled as far as it is; what it means is read out. */
function Wagons({ row }: { row: PickListRow }) {
  const t = useT()
  const shown = row.wagons.slice(0, mostWagons)
  return (
    <span className={style.wagonBars}>
      {shown.map(wagon => {
        const over = wagon.state === 'picked' || wagon.state === 'at_packing' || wagon.state === 'released'
        const part = over ? 1 : wagon.lines > 0 ? wagon.lines_done / wagon.lines : 0
        const words = `${t('Wagon {{number}}', { number: wagon.wagon_no })}: ${wagonWord(wagon.state)}${wagon.user_name ? `, ${wagon.user_name}` : ''}`
        return (
          <span key={wagon.wagon_no} className={style.wagonBar} title={words} role="img" aria-label={words}>
            <span style={{ height: `${part * 100}%` }} />
          </span>
        )
      })}
      {row.wagon_count > mostWagons ? <span className={style.dim}>+{number(row.wagon_count - mostWagons)}</span> : null}
    </span>
  )
}
