/** All collect lists: found, filtered, exported. */
import { ActionIcon, Button, Group, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { number, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useLocale, useT } from '#ui/kit/translate.ts'
import { saveFile, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import style from './Collect.module.css'
import { CageMark, CollectBadge, Scanned, stateWord } from './collect-list.labels.tsx'
import { collectStates } from './collect-lists.codes.ts'
import { collectLists, collectListsOwn } from './collect-lists.contract.ts'
import type { CollectRow } from './collect-lists.schemas.ts'
import type { CollectProps } from './collect-lists-url.client.ts'

const keyOf = (row: CollectRow) => row.id

export function CollectTable({ url, setUrl, urlWith, cameFrom }: CollectProps & { cameFrom: number | null }) {
  const t = useT()
  const locale = useLocale()
  const { init } = useSignedIn()
  const filters = {
    query: url.query,
    sort: url.sort,
    ...(url.state && { state: url.state }),
    ...(url.courier && { courier: url.courier }),
    ...(url.day && { day: url.day }),
  }
  const list = usePagedList(collectLists.search, { ...filters, page: url.page, limit: 50 }, { live: ['collect_list'] })
  const csv = useSend(collectListsOwn.export, { done: saveFile })
  const filtered = url.query !== '' || url.state !== '' || url.courier !== '' || url.day !== ''

  const columns = useMemo<Column<CollectRow>[]>(
    () => [
      {
        key: 'id',
        title: t('List'),
        sort: true,
        cell: row => (
          <Link to="/lists/collect" search={urlWith({ id: row.id })} className={style.number}>
            {row.code}
          </Link>
        ),
      },
      { key: 'state', title: t('Status'), cell: row => <CollectBadge state={row.state} /> },
      { key: 'cage', title: t('Cage'), flex: 1, cell: row => <CageMark name={row.cage} colour={row.colour} /> },
      { key: 'courier', title: t('Courier'), flex: 1, cell: row => t(row.agent) },
      { key: 'scanned', title: t('Scanned'), cell: row => <Scanned scanned={row.scanned} expected={row.expected} /> },
      { key: 'missing', title: t('Missing'), align: 'end', cell: row => (row.missing > 0 ? number(row.missing) : '') },
      { key: 'weight', title: t('Weight'), align: 'end', cell: row => (row.weight_g > 0 ? weight(row.weight_g) : '') },
      {
        key: 'cut_off_at',
        title: t('Pickup'),
        sort: true,
        cell: row => (row.cut_off_at ? <RelativeTime at={row.cut_off_at} /> : '–'),
      },
      { key: 'handed_to', title: t('Driver'), flex: 1, cell: row => row.handed_to ?? '' },
      {
        key: 'handed_over_at',
        title: t('Handed over'),
        sort: true,
        cell: row => (row.handed_over_at ? <RelativeTime at={row.handed_over_at} as="age" /> : ''),
      },
      { key: 'created', title: t('Created'), hidden: true, cell: row => <RelativeTime at={row.created_at} /> },
      { key: 'by', title: t('Made by'), hidden: true, cell: row => row.created_by },
      { key: 'closed', title: t('Closed by'), hidden: true, cell: row => row.closed_by ?? '' },
    ],
    [t, urlWith],
  )
  const views: View[] = [
    { key: 'all', title: t('All'), search: { tab: 'lists' } },
    { key: 'closed', title: t('To hand over'), search: { tab: 'lists', state: 'closed' } },
    { key: 'handed_over', title: t('Handed over'), search: { tab: 'lists', state: 'handed_over', sort: '-handed_over_at' } },
  ]
  const bar: Filter[] = [
    {
      key: 'state',
      label: t('Status'),
      kind: 'one',
      options: collectStates.map(value => ({ value, label: stateWord(value) })),
      value: url.state ? [url.state] : [],
      set: ([state = '']) => setUrl({ state: state }),
    },
    {
      key: 'courier',
      label: t('Courier'),
      kind: 'one',
      options: init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) })),
      value: url.courier ? [url.courier] : [],
      set: ([courier = '']) => setUrl({ courier }),
    },
    { key: 'day', label: t('Day'), kind: 'day', options: [], value: url.day ? [url.day] : [], set: ([day = '']) => setUrl({ day }) },
  ]
  return (
    <DataTable
      name="collect-lists"
      label={t('Collect lists')}
      columns={columns}
      list={list}
      keyOf={keyOf}
      open={row => setUrl({ id: row.id })}
      cameFrom={cameFrom}
      sort={url.sort}
      onSort={sort => setUrl({ sort: sort })}
      onPage={page => setUrl({ page })}
      toolbar={
        <Group justify="space-between" align="flex-end" gap="xs" wrap="nowrap">
          <div style={{ flex: 1, minWidth: 0 }}>
            <FilterBar
              name="collect-lists"
              search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Search list, cage or driver') }}
              filters={bar}
              views={views}
            />
          </div>
          <Tooltip label={t('Export CSV')}>
            <ActionIcon size="lg" aria-label={t('Export CSV')} loading={csv.isPending} onClick={() => csv.mutate({ ...filters, locale })}>
              <IconDownload size={20} />
            </ActionIcon>
          </Tooltip>
        </Group>
      }
      filtered={filtered}
      clearFilters={() => setUrl({ query: '', state: '', courier: '', day: '' })}
      empty={
        <EmptyList
          title={t('No collect lists yet')}
          action={
            <Button component={Link} to="/lists/collect">
              {t('Cages today')}
            </Button>
          }
        >
          {t('Start one at a cage: what waits there is on it at once.')}
        </EmptyList>
      }
      card={row => (
        <RowCard>
          <RowCardLine>
            <span>
              <strong>{row.code}</strong> <CageMark name={row.cage} colour={row.colour} />
            </span>
            <CollectBadge state={row.state} />
          </RowCardLine>
          <Scanned scanned={row.scanned} expected={row.expected} />
          <RowCardLine>
            <span className={style.dim}>{row.handed_to ?? t(row.agent)}</span>
            <RelativeTime at={row.handed_over_at ?? row.created_at} as="age" />
          </RowCardLine>
        </RowCard>
      )}
    />
  )
}
