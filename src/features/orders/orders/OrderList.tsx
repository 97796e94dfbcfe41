/** The list of orders: saved views with live counts, search, filters, and what can be done with many at once. */
import { Button, Text } from '@mantine/core'
import { IconDownload, IconFileUpload, IconPlus } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, Suspense, useMemo, useState } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { useSavedViews } from '#features/company/saved-views/saved-views.client.ts'
import { TagChips } from '#features/company/tags/TagChips.tsx'
import { useTagFilter } from '#features/company/tags/tags-filter.client.ts'
import { deadlineReaders, deadlines } from '#features/orders/deadlines/deadlines.contract.ts'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable, type RowAction } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { countryChoices, instant, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { type ListState, type Selection, usePagedList, useSelection } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { spanFilters } from '#ui/kit/span-filter.ts'
import { t as say, useT } from '#ui/kit/translate.ts'
import { type SetUrl, type UrlWith, useNavigate } from '#ui/kit/url-state.ts'
import { useIsOffered } from '#ui/navigation/menu.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { reasonWord } from './locks/hold-reasons.client.ts'
import style from './Orders.module.css'
import { Deadline, PhaseBadge, phaseWord, RowBadges, useCompanyName, useMethodWord } from './order.labels.tsx'
import { orderViews } from './order-views.client.ts'
import { type Sort, sorts } from './orders.codes.ts'
import { orders } from './orders.contract.ts'
import { phases } from './orders.rules.ts'
import type { OrderRow } from './orders.schemas.ts'
import { type OrdersUrl, pageOf, type searchOf } from './orders-url.client.ts'

export interface ListProps {
  url: OrdersUrl
  setUrl: SetUrl<typeof OrdersUrl>
  urlWith: UrlWith<typeof OrdersUrl>
  filters: ReturnType<typeof searchOf>
}

/** What can be done with many orders at once, given from above: it prints labels and makes pick lists too. */
export interface BulkProps {
  selection: Selection
  list: ListState<OrderRow>
  filters: ListProps['filters']
}

/** The export of the list as it is, given from above. */
export interface ExportProps {
  filters: ListProps['filters']
  sort: OrdersUrl['sort']
  close: () => void
}

const keyOf = (row: OrderRow) => row.id
/** As the table writes a sort, and as the call takes it. */
const wordOf = (sort: Sort): string => (sort === 'newest' ? '-age' : sort === 'oldest' ? 'age' : sort)
const noFilters = {
  phase: [],
  open: '',
  due: '',
  abroad: '',
  pinned: '',
  mine: '',
  combinable: '',
  company: '',
  country: [],
  agent: '',
  shop: '',
  tag: '',
  badge: '',
  deadline: '',
  from: '',
  until: '',
  received: '',
  packed: '',
  in_time: '',
  hold: '',
} as const

export function OrderList({
  url,
  setUrl,
  urlWith,
  filters,
  bypass,
  cameFrom,
  BulkActions,
  ExportDialog,
  actions,
}: ListProps & {
  bypass: boolean
  cameFrom: number | null
  BulkActions: ComponentType<BulkProps>
  ExportDialog: ComponentType<ExportProps>
  actions: ReactNode
}) {
  const t = useT()
  const { init } = useSignedIn()
  const companyName = useCompanyName()
  const methodWord = useMethodWord()
  const [exporting, setExporting] = useState(false)
  const list = usePagedList(orders.search, pageOf(url, filters), {
    live: ['order'],
    keyOf: keyOf,
  })
  const rows = list
  const counts = useCall(orders.count, {}, { live: ['order'], fresh: 5_000 })
  const go = useNavigate()
  const bench = useIsOffered('/')
  const selection = useSelection([filters])
  // Fetched with the first choice; what it asks then outlives the choice.
  const [bulk, setBulk] = useState(false)
  if (!bulk && (selection.all || selection.keys.size > 0)) setBulk(true)
  const store = useSavedViews('orders')
  const many = init.CompanyLookup.length > 1
  const ids = rows.rows.map(row => row.id)
  const passed = useCall(orders.bypassUsed, { body: ids }, { enabled: bypass && ids.length > 0, keep: true })
  const pin = useSend(orders.pin, { refreshes: [orders.search, orders.count], said: t('The order is pinned') })
  const unpin = useSend(orders.unpin, { refreshes: [orders.search, orders.count], said: t('The order is no longer pinned') })

  const columns = useMemo<Column<OrderRow>[]>(
    () => [
      {
        key: 'order_no',
        title: t('Order'),
        sort: true,
        cell: row => (
          <Link to={bypass ? '/parcels/bypass' : '/parcels/orders'} search={urlWith({ id: row.id })} className={style.number}>
            {row.order_no}
          </Link>
        ),
      },
      ...(bypass
        ? [
            {
              key: 'why',
              title: t('Why'),
              flex: 3,
              cell: (row: OrderRow) => {
                const all = passed.data?.find(one => one.order_id === row.id)?.bypasses ?? []
                return [...new Set(all.map(one => `${one.reason} (${one.by}, ${one.station})`))].join(' · ')
              },
            },
          ]
        : []),
      { key: 'customer', title: t('Customer'), flex: 2, cell: row => row.customer_name || '–' },
      { key: 'place', title: t('To'), flex: 1, cell: row => [row.city, row.ship_country].filter(Boolean).join(', ') },
      { key: 'items', title: t('Items'), align: 'end', cell: row => number(row.item_count) },
      { key: 'phase', title: t('Status'), cell: row => <PhaseBadge phase={row.phase} /> },
      { key: 'ship_by', title: t('Ship by'), sort: true, cell: row => <Deadline at={row.ship_by} phase={row.phase} /> },
      { key: 'method', title: t('Shipping method'), flex: 1, cell: row => methodWord(row) },
      { key: 'badges', title: t('Alerts'), cell: row => <RowBadges row={row} /> },
      ...(many ? [{ key: 'company', title: t('Company'), cell: (row: OrderRow) => companyName(row.company_id) }] : []),
      { key: 'age', title: t('Received'), sort: true, cell: row => <RelativeTime at={row.created_at} as="elapsed" /> },
      { key: 'shop', title: t('Shop'), hidden: true, cell: row => row.shop },
      { key: 'tags', title: t('Tags'), flex: 1, cell: row => <TagChips names={row.tags} company_id={row.company_id} line /> },
      {
        key: 'packing',
        title: t('Station'),
        hidden: true,
        cell: row => (row.packing ? `${row.packing.station}, ${row.packing.user_name}` : ''),
      },
    ],
    [t, many, bypass, urlWith, passed.data, companyName, methodWord],
  )

  const views = useMemo<View[]>(() => {
    return orderViews(t).map(view => {
      const counted = view.key === 'all' ? undefined : counts.data?.views[view.key]
      return counted ? { ...view, count: counted.count } : view
    })
  }, [t, counts.data])

  const seesDeadlines = useIsAllowed(deadlineReaders)
  const known = useCall(deadlines.list, { limit: 50 }, { enabled: seesDeadlines, live: ['deadline'], fresh: 60_000 })
  const pickups = (known.data?.rows ?? []).map(one => ({ value: String(one.id), label: one.name }))
  const withFoundPickup =
    url.deadline && !pickups.some(one => one.value === url.deadline) ? [...pickups, { value: url.deadline, label: url.deadline }] : pickups
  const byPickup: Filter = {
    key: 'deadline',
    label: url.until ? t('Pickup until {{when}}', { when: instant(url.until) }) : t('Pickup'),
    kind: 'one',
    options: withFoundPickup,
    value: url.deadline ? [url.deadline] : [],
    set: ([deadline = '']) => setUrl({ deadline, from: '', until: '' }),
  }
  const byTag = useTagFilter(url.tag, tag => setUrl({ tag }))
  const byCompany = useCompanyFilter({ kind: 'one', value: url.company ? [url.company] : [], set: ([company = '']) => setUrl({ company }) })
  const shown: Filter[] = [
    {
      key: 'phase',
      label: t('Status'),
      kind: 'many',
      options: phases.map(phase => ({ value: phase, label: phaseWord(phase) })),
      value: url.phase,
      set: phase => setUrl({ phase }),
    },
    ...byCompany,
    {
      key: 'due',
      label: t('Deadline'),
      kind: 'one',
      options: [
        { value: 'late', label: t('Overdue') },
        { value: 'today', label: t('Due today') },
      ],
      value: url.due ? [url.due] : [],
      set: ([due = '']) => setUrl({ due }),
    },
    ...(withFoundPickup.length > 0 ? [byPickup] : []),
    {
      key: 'country',
      label: t('Country'),
      kind: 'many',
      options: () => countryChoices(init.CountryLookup),
      value: url.country,
      set: codes => setUrl({ country: [...codes] }),
    },
    flag('abroad', t('Abroad'), t('Only abroad')),
    flag('open', t('Where'), t('Still in the warehouse')),
    flag('pinned', t('Pinned'), t('Only pinned')),
    flag('mine', t('Mine'), t('Only mine')),
    flag('combinable', t('Can be combined'), t('With another order')),
    {
      key: 'agent',
      label: t('Courier'),
      kind: 'one',
      options: init.ParcelAgentCode.map(agent => ({ value: agent.agent_code, label: t(agent.name) })),
      value: url.agent ? [url.agent] : [],
      set: ([agent = '']) => setUrl({ agent }),
    },
    {
      key: 'badge',
      label: t('Alerts'),
      kind: 'one',
      options: [
        { value: 'error', label: t('Errors') },
        { value: 'warning', label: t('Warnings') },
        { value: 'alert', label: t('Order alerts') },
      ],
      value: url.badge ? [url.badge] : [],
      set: ([badge = '']) => setUrl({ badge }),
    },
    { key: 'shop', label: t('Shop'), kind: 'text', value: url.shop ? [url.shop] : [], set: ([shop = '']) => setUrl({ shop }) },
    byTag,
    ...spanFilters('received', t('Received'), url.received, received => setUrl({ received })),
    ...spanFilters('packed', t('Packed'), url.packed, packed => setUrl({ packed, in_time: '' })),
    ...chosen('in_time', t('On time'), url.in_time, url.in_time === 'no' ? t('Packed late') : t('Packed in time')),
    ...chosen('hold', t('Reason'), url.hold, url.hold === '' ? '' : reasonWord(url.hold)),
  ]
  /** Shown where another screen has set it. */
  function chosen(key: 'in_time' | 'hold', label: string, value: string, word: string): Filter[] {
    if (value === '') return []
    return [{ ...{ key, label, kind: 'one' }, options: [{ value, label: word }], value: [value], set: () => setUrl({ [key]: '' }) }]
  }
  function flag(key: 'abroad' | 'open' | 'pinned' | 'mine' | 'combinable', label: string, option: string): Filter {
    return {
      key,
      label,
      kind: 'one',
      options: [{ value: '1', label: option }],
      value: url[key] ? ['1'] : [],
      set: ([value = '']) => setUrl({ [key]: value }),
    }
  }

  const filtered = Object.keys(filters).some(key => key !== 'query' && key !== 'bypass') || url.query !== ''
  const clear = () => setUrl({ ...noFilters, phase: [], country: [], query: '' })
  const actionsOf = (row: OrderRow): RowAction[] => [
    row.pinned
      ? { label: t('Unpin'), run: () => unpin.mutate({ id: row.id }) }
      : { label: t('Pin to the top'), run: () => pin.mutate({ id: row.id }) },
    ...(bench ? [{ label: t('Open at station'), run: () => go('/', { order: row.id }) }] : []),
  ]

  const canImport = useIsOffered('/parcels/orders/import')

  return (
    <Page
      title={bypass ? t('Packed without scanning') : t('Orders')}
      documentTitle={t('Orders')}
      note={bypass ? t('Orders in which someone let a product pass without its barcode.') : undefined}
      fill
      actions={
        <>
          {actions}
          {canImport ? (
            <Button component={Link} to="/parcels/orders/import" variant="default" leftSection={<IconFileUpload size={16} />}>
              {t('Import orders')}
            </Button>
          ) : null}
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => setExporting(true)}>
            {t('Export')}
          </Button>
          {bypass ? null : (
            <Button component={Link} to="/parcels/orders/new" leftSection={<IconPlus size={16} />}>
              {t('New order')}
            </Button>
          )}
        </>
      }
    >
      <DataTable
        name={bypass ? 'bypass' : 'orders'}
        label={t('Orders')}
        columns={columns}
        list={rows}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id })}
        cameFrom={cameFrom}
        sort={wordOf(url.sort)}
        onSort={sort => setUrl({ sort: sortOf(sort) })}
        onPage={page => setUrl({ page })}
        selection={selection}
        rowActions={actionsOf}
        bulk={
          bulk ? (
            <Suspense>
              <BulkActions selection={selection} list={rows} filters={filters} />
            </Suspense>
          ) : null
        }
        toolbar={
          <FilterBar
            name="orders"
            search={{
              value: url.query,
              set: query => setUrl({ query }, { replace: true }),
              label: t('Order, name, phone, SKU, code …'),
            }}
            filters={shown}
            views={bypass ? [] : views}
            store={store}
          />
        }
        filtered={filtered}
        clearFilters={clear}
        empty={
          bypass ? (
            <EmptyList
              title={t('All orders were scanned')}
              action={
                <Button component={Link} to="/parcels/orders">
                  {t('All orders')}
                </Button>
              }
            />
          ) : (
            <EmptyList title={t('No orders yet')} action={<ImportLink />}>
              {t('They come from your shop by its key or webhook, or from a CSV file.')}
            </EmptyList>
          )
        }
        card={row => <OrderCard row={row} company={many ? companyName(row.company_id) : null} />}
      />
      {exporting ? (
        <Suspense>
          <ExportDialog filters={filters} sort={url.sort} close={() => setExporting(false)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

const ImportLink = () => (
  <Button component={Link} to="/parcels/orders/import">
    {say('Import orders')}
  </Button>
)

const sortOf = (word: string): Sort => (word === 'age' ? 'oldest' : isOneOf(sorts, word) ? word : 'newest')

/** One order on a phone. */
function OrderCard({ row, company }: { row: OrderRow; company: string | null }) {
  return (
    <div className={style.card}>
      <div className={style.cardLine}>
        <span className={style.number}>{row.order_no}</span>
        <Deadline at={row.ship_by} phase={row.phase} />
      </div>
      <div className={style.cardLine}>
        <span className={style.name}>{row.customer_name}</span>
        <PhaseBadge phase={row.phase} />
      </div>
      <Text c="dimmed">{[[row.city, row.ship_country].filter(Boolean).join(', '), company].filter(Boolean).join(' · ')}</Text>
      <RowBadges row={row} />
      <TagChips names={row.tags} company_id={row.company_id} />
    </div>
  )
}
