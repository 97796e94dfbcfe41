/** What was read from a shop and written to it, in the shop's own words. */
import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList, NoMatches } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar } from '#ui/kit/FilterBar.tsx'
import { number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { pageState } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { useCall } from '#ui/query/calls.ts'
import { logKinds, logOutcomes } from './shop-connections.codes.ts'
import { shopConnections } from './shop-connections.contract.ts'
import { kindWords, outcomeTones, outcomeWords } from './shop-connections.labels.ts'
import type { LogEntry } from './shop-connections.schemas.ts'

const View = {
  page: urlNumber(1),
  query: urlText(),
  kind: urlChoice(['', ...logKinds], ''),
  outcome: urlChoice(['', ...logOutcomes], ''),
}
const keyOf = (row: LogEntry) => row.id

export function ConnectionLog({ id }: { id: number }) {
  const t = useT()
  const [url, setUrl] = useUrlState(View)
  const asked = {
    id,
    ...(url.kind && { kind: url.kind }),
    ...(url.outcome && { outcome: url.outcome }),
    ...(url.query && { q: url.query }),
  }
  const place = { page: url.page, limit: 20 }
  // A log grows at its top while it is read.
  const list = pageState(useCall(shopConnections.log, { ...asked, ...place }, { live: ['shop_connection'], keep: true }), place)
  const filters: Filter[] = [
    {
      key: 'kind',
      label: t('What'),
      kind: 'one',
      options: logKinds.map(value => ({ value, label: t(kindWords[value]) })),
      value: url.kind ? [url.kind] : [],
      set: ([value]) => setUrl({ kind: logKinds.find(one => one === value) ?? '', page: 1 }),
    },
    {
      key: 'outcome',
      label: t('Result'),
      kind: 'one',
      options: logOutcomes.map(value => ({ value, label: t(outcomeWords[value]) })),
      value: url.outcome ? [url.outcome] : [],
      set: ([value]) => setUrl({ outcome: logOutcomes.find(one => one === value) ?? '', page: 1 }),
    },
  ]
  const columns = useMemo<Column<LogEntry>[]>(
    () => [
      { key: 'at', title: t('When'), cell: row => <RelativeTime at={row.at} /> },
      { key: 'kind', title: t('What'), cell: row => t(kindWords[row.kind]) },
      {
        key: 'outcome',
        title: t('Result'),
        cell: row => <StateBadge tone={outcomeTones[row.outcome]}>{t(outcomeWords[row.outcome])}</StateBadge>,
      },
      {
        key: 'ref',
        title: t('Order'),
        cell: row =>
          row.order_id === null ? (
            (row.ref ?? '')
          ) : (
            <Link to="/parcels/orders" search={{ id: row.order_id }}>
              {row.ref ?? row.order_id}
            </Link>
          ),
      },
      { key: 'words', title: t('Shop says'), flex: 3, cell: row => (row.shop_words === null ? '' : t(row.shop_words)) },
      { key: 'count', title: t('How many'), align: 'end', cell: row => number(row.count) },
    ],
    [t],
  )
  const filtered = url.kind !== '' || url.outcome !== '' || url.query !== ''
  return (
    <>
      <FilterBar
        name="connection-log"
        search={{ value: url.query, set: query => setUrl({ query, page: 1 }), label: t('Order or answer of the shop') }}
        filters={filters}
      />
      <DataTable
        name="connection-log"
        label={t('Log of 30 days')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        onPage={page => setUrl({ page })}
        empty={
          filtered ? (
            <NoMatches clear={() => setUrl({ kind: '', outcome: '', query: '', page: 1 })} />
          ) : (
            <EmptyList title={t('Nothing read or reported yet')} />
          )
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              {columns[2]?.cell(row)}
              <RelativeTime at={row.at} />
            </RowCardLine>
            <RowCardLine>
              <Text size="sm">{t(kindWords[row.kind])}</Text>
              {columns[3]?.cell(row)}
            </RowCardLine>
            {row.shop_words ? <Text size="sm">{t(row.shop_words)}</Text> : null}
          </RowCard>
        )}
      />
    </>
  )
}
