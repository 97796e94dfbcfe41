/** Settings: the shops whose orders are read, and that learn what becomes of them. */
import { Button, Text } from '@mantine/core'
import { useMemo } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { duration, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { staticList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall } from '#ui/query/calls.ts'
import { ConnectionPage } from './ConnectionPage.tsx'
import { NewConnection } from './NewConnection.tsx'
import { shopConnections } from './shop-connections.contract.ts'
import { stateTones, stateWords } from './shop-connections.labels.ts'
import type { ConnectionRow } from './shop-connections.schemas.ts'

const path = '/settings/shop-connections'
const View = { id: urlNumber(0), view: urlChoice(['', 'new'], '') }
const keyOf = (row: ConnectionRow) => row.id

export function ShopConnectionsScreen() {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const systems = useCall(shopConnections.systems, {})
  const answer = useCall(shopConnections.list, {}, { live: ['shop_connection'], keep: true })
  const home = { to: path, label: t('All shop connections') }
  if (url.view === 'new')
    return (
      <Page title={t('Connect a shop')} back={home} fill>
        <QueryState of={systems} shape="form">
          {({ rows }) => <NewConnection systems={rows} made={id => setUrl({ id, view: '' })} />}
        </QueryState>
      </Page>
    )
  if (url.id > 0)
    return (
      <QueryState of={answer} shape="form">
        {({ rows }) => {
          const row = rows.find(one => one.id === url.id)
          const system = systems.data?.rows.find(one => one.system === row?.system)
          return row ? (
            <ConnectionPage key={row.id} row={row} system={system} back={home} gone={() => setUrl({ id: 0 })} />
          ) : (
            <Page title={t('Shop connection')} back={home}>
              <EmptyList
                title={t('This connection was removed')}
                action={
                  <Button component={Link} to={path}>
                    {t('All shop connections')}
                  </Button>
                }
              />
            </Page>
          )
        }}
      </QueryState>
    )
  return <ConnectionList answer={answer} open={id => setUrl({ id })} add={() => setUrl({ view: 'new' })} />
}

function ConnectionList({
  answer,
  open,
  add,
}: {
  answer: ReturnType<typeof useCall<typeof shopConnections.list>>
  open: (id: number) => void
  add: () => void
}) {
  const t = useT()
  const list = {
    ...staticList(answer.data?.rows ?? []),
    isLoading: answer.isPending,
    error: answer.error,
    refetch: () => void answer.refetch(),
  }
  const columns = useMemo<Column<ConnectionRow>[]>(
    () => [
      {
        key: 'name',
        title: t('Name'),
        flex: 2,
        cell: row => (
          <Link to={path} search={{ id: row.id }}>
            {row.name}
          </Link>
        ),
      },
      { key: 'system', title: t('System'), cell: row => row.title },
      { key: 'shop', title: t('Shop code'), cell: row => row.shop },
      { key: 'state', title: t('Status'), cell: row => <StateBadge tone={stateTones[row.state]}>{t(stateWords[row.state])}</StateBadge> },
      { key: 'last_order', title: t('Last order'), cell: row => <RelativeTime at={row.last_order_at} as="age" /> },
      { key: 'lag', title: t('Behind'), align: 'end', cell: row => (row.lag_s === 0 ? '–' : duration(row.lag_s)) },
      { key: 'waiting', title: t('Waiting'), align: 'end', cell: row => number(row.waiting) },
      { key: 'error', title: t('Last error'), flex: 2, cell: row => (row.error === null ? '' : t(row.error)) },
    ],
    [t],
  )
  const connect = <Button onClick={add}>{t('Connect shop')}</Button>
  return (
    <Page
      title={t('Shop connections')}
      note={t('Orders of connected shops come in by themselves, and the shops learn of each parcel.')}
      actions={answer.data?.rows.length ? connect : null}
      fill
    >
      <DataTable
        name="shop-connections"
        label={t('Shop connections')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => open(row.id)}
        onPage={() => undefined}
        empty={
          <EmptyList title={t('No shop is connected yet')} action={connect}>
            {t('Webhooks keep working. A connection also reads what they missed, and reports parcels.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{row.name}</strong>
              {columns[3]?.cell(row)}
            </RowCardLine>
            <RowCardLine>
              <Text size="sm" c="dimmed">
                {row.title}
              </Text>
              <Text size="sm" c="dimmed">
                {t('Not reported yet: {{count}}', { count: number(row.waiting) })}
              </Text>
            </RowCardLine>
            {row.error ? <Text size="sm">{t(row.error)}</Text> : null}
          </RowCard>
        )}
      />
    </Page>
  )
}
