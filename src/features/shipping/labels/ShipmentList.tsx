/** The list of shipments: search, filters, and the boards of what needs somebody's eye. */
import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { shipmentStates } from '#domain/order/shipment-states.ts'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { spanFilters, spanOf } from '#ui/kit/span-filter.ts'
import { useT } from '#ui/kit/translate.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { labels } from './labels.contract.ts'
import type { Shipment } from './labels.schemas.ts'
import { OrderLink } from './OrderLink.tsx'
import { ShipmentDrawer } from './ShipmentDrawer.tsx'
import style from './Shipments.module.css'
import { ShipmentBadge, shipmentWord } from './shipment.labels.tsx'
import type { ListProps } from './shipments-url.client.ts'

const keyOf = (row: Shipment) => row.shipment_id

/** The last thing that happened to it. */
const lastOf = (row: Shipment) => row.delivered_at ?? row.handed_over_at ?? row.booked_at ?? row.created_at

export function ShipmentList({ url, setUrl, urlWith }: ListProps) {
  const t = useT()
  const { init } = useSignedIn()
  const many = init.CompanyLookup.length > 1
  const left = spanOf(url.left)
  const list = usePagedList(
    labels.search,
    {
      query: url.query,
      page: url.page,
      limit: 50,
      ...(url.state && { state: url.state }),
      ...(url.board && { board: url.board }),
      ...(url.agent && { agent_code: url.agent }),
      ...(url.company && { company_id: Number(url.company) }),
      ...(left && { left_from: left.from, left_until: left.until }),
    },
    { live: ['shipment'], keyOf: keyOf },
  )
  const companyName = useMemo(() => new Map(init.CompanyLookup.map(company => [company.id, company.name])), [init])
  const courierName = useMemo(() => new Map(init.ParcelAgentCode.map(agent => [agent.agent_code, agent.name])), [init])

  const columns = useMemo<Column<Shipment>[]>(
    () => [
      {
        key: 'tracking_no',
        title: t('Tracking number'),
        cell: row => (
          <Link to="/parcels/shipments" search={urlWith({ id: row.shipment_id })} className={style.number}>
            {row.tracking_no ?? t('No number yet')}
          </Link>
        ),
      },
      {
        key: 'order_no',
        title: t('Order'),
        cell: row => <OrderLink shipment={row} />,
      },
      { key: 'state', title: t('Status'), cell: row => <ShipmentBadge state={row.state} /> },
      { key: 'receiver', title: t('Recipient'), flex: 2, cell: row => <span title={row.receiver}>{row.receiver || '–'}</span> },
      { key: 'place', title: t('To'), flex: 1, hidden: true, cell: row => [row.city, row.country].filter(Boolean).join(', ') },
      { key: 'courier', title: t('Courier'), cell: row => t(courierName.get(row.agent_code) ?? row.agent_code) },
      {
        key: 'parcel',
        title: t('Parcel'),
        cell: row =>
          row.operation_code === 'return'
            ? t('Return')
            : row.consignment_parcels > 1
              ? `${row.parcel_no} / ${row.consignment_parcels}`
              : row.parcel_no,
      },
      { key: 'error', title: t('Reason'), flex: 2, cell: row => (row.error ? <span title={t(row.error)}>{t(row.error)}</span> : '') },
      ...(many ? [{ key: 'company', title: t('Company'), cell: (row: Shipment) => companyName.get(row.company_id) ?? row.company }] : []),
      { key: 'last', title: t('Last event'), cell: row => <RelativeTime at={lastOf(row)} as="age" /> },
      {
        key: 'weight',
        title: t('Weight'),
        align: 'end',
        hidden: true,
        cell: row => (row.weight_g > 0 ? weight(row.weight_g) : ''),
      },
      { key: 'method', title: t('Shipping method'), flex: 1, hidden: true, cell: row => row.shipping_method },
    ],
    [t, many, urlWith, companyName, courierName],
  )

  const views: View[] = [
    { key: 'all', title: t('All'), search: {} },
    { key: 'no_scan', title: t('Not scanned'), search: { board: 'no_scan' } },
    { key: 'error', title: t('Label errors'), search: { board: 'error' } },
    { key: 'unknown', title: t('Not confirmed'), search: { board: 'unknown' } },
    { key: 'failed', title: t('Not delivered'), search: { board: 'failed' } },
    { key: 'waiting', title: t('Ready for collection'), search: { board: 'waiting' } },
    { key: 'returned', title: t('Returning'), search: { board: 'returned' } },
  ]
  const byCompany = useCompanyFilter({ kind: 'one', value: url.company ? [url.company] : [], set: ([company = '']) => setUrl({ company }) })
  const filters: Filter[] = [
    {
      key: 'state',
      label: t('Status'),
      kind: 'one',
      options: shipmentStates.map(value => ({ value, label: shipmentWord(value) })),
      value: url.state ? [url.state] : [],
      set: ([state = '']) => setUrl({ state: state }),
    },
    {
      key: 'agent',
      label: t('Courier'),
      kind: 'one',
      options: init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) })),
      value: url.agent ? [url.agent] : [],
      set: ([agent = '']) => setUrl({ agent }),
    },
    ...byCompany,
    ...spanFilters('left', t('Handed over'), url.left, text => setUrl({ left: text })),
  ]

  return (
    <>
      <DataTable
        name="shipments"
        label={t('Shipments')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.shipment_id })}
        opened={url.id || null}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="shipments"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Parcel number or order number') }}
            filters={filters}
            views={views}
          />
        }
        filtered={url.query !== '' || url.state !== '' || url.board !== '' || url.agent !== '' || url.company !== '' || url.left !== ''}
        clearFilters={() => setUrl({ query: '', state: '', board: '', agent: '', company: '', left: '' })}
        empty={
          <EmptyList
            title={t('No shipments yet')}
            action={
              <Button component={Link} to="/parcels/shipments/new">
                {t('New shipment')}
              </Button>
            }
          >
            {t('A shipment begins when the last product of an order is packed.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span className={style.number}>{row.tracking_no ?? t('No number yet')}</span>
              <ShipmentBadge state={row.state} />
            </RowCardLine>
            <RowCardLine>
              <span className={style.dim}>{[row.order_no, row.receiver].filter(Boolean).join(', ')}</span>
              <RelativeTime at={lastOf(row)} as="age" />
            </RowCardLine>
          </RowCard>
        )}
      />
      <ShipmentDrawer id={url.id} close={() => setUrl({ id: 0 })} />
    </>
  )
}
