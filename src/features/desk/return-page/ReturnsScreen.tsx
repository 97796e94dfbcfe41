/** Returns: what customers send back, from the request to the refund. A scan opens the return that lies on the desk. */
import { Button } from '@mantine/core'
import { IconBarcode, IconDownload, IconSettings } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import style from '#features/returns/returns/Returns.module.css'
import { MoneyBadge, moneyWord, ReturnBadge, sourceWord } from '#features/returns/returns/return.labels.tsx'
import { moneyStates, returnSorts, returnSources } from '#features/returns/returns/returns.codes.ts'
import { returns } from '#features/returns/returns/returns.contract.ts'
import type { ReturnRow } from '#features/returns/returns/returns.schemas.ts'
import { ReturnsUrl, returnsQuestion } from '#features/returns/returns/returns-url.client.ts'
import { ScanReturn } from '#features/returns/returns/ScanReturn.tsx'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { useLastOpened, usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { spanFilters } from '#ui/kit/span-filter.ts'
import { useT } from '#ui/kit/translate.ts'
import { type SetUrl, type UrlWith, useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { ScannerHere } from '#ui/scanner/handlers.tsx'

const ReturnsDeskScreen = lazy(() => import('./ReturnsDeskScreen.tsx'))
const ReturnPage = lazy(() => import('./ReturnPage.tsx'))
const ReturnSettingsForm = lazy(() => import('#features/returns/returns/ReturnSettingsForm.tsx'))

const keyOf = (row: ReturnRow) => row.id
const live = ['return'] as const

export function ReturnsScreen() {
  const [url, setUrl, urlWith] = useUrlState(ReturnsUrl)
  const cameFrom = useLastOpened(url.id)
  return (
    <ScannerHere onUnknown={() => undefined}>
      {url.id > 0 ? (
        <Suspense>
          <ReturnPage key={url.id} id={url.id} back={{ to: '/returns', search: urlWith({ id: 0 }) }} open={id => setUrl({ id })} />
        </Suspense>
      ) : (
        <Returns url={url} setUrl={setUrl} urlWith={urlWith} cameFrom={cameFrom} />
      )}
    </ScannerHere>
  )
}

/** The bench, loaded by itself. */
export const ReturnsDesk = () => (
  <Suspense>
    <ReturnsDeskScreen />
  </Suspense>
)

/** Before the approval, and of a parcel that was not unpacked, nothing is decided about money. */
function Money({ row }: { row: ReturnRow }) {
  const isOpen = row.money === 'none' && (row.status === 'requested' || row.pieces === 0)
  return isOpen ? <span className={style.dim}>–</span> : <MoneyBadge money={row.money} />
}

interface ReturnsProps {
  url: ReturnsUrl
  setUrl: SetUrl<typeof ReturnsUrl>
  urlWith: UrlWith<typeof ReturnsUrl>
  cameFrom: number | null
}

function Returns({ url, setUrl, urlWith, cameFrom }: ReturnsProps) {
  const t = useT()
  const { init } = useSignedIn()
  const works = useIsAllowed(returns.scan.access)
  const [scanning, setScanning] = useState(false)
  const [settings, setSettings] = useState(false)
  const question = returnsQuestion(url)
  const many = init.CompanyLookup.length > 1
  const counts = useCall(returns.count, {}, { live, fresh: 2_000 })
  const list = usePagedList(returns.search, { ...question, page: url.page, limit: 50 }, { live, keyOf })
  const save = useCommand(() => send(returns.exportAll, question), { done: saveFile })

  const columns = useMemo<Column<ReturnRow>[]>(
    () => [
      {
        key: 'rma',
        title: t('Return'),
        cell: row => (
          <Link to="/returns" search={urlWith({ id: row.id })}>
            {row.rma_no}
          </Link>
        ),
      },
      { key: 'status', title: t('Status'), cell: row => <ReturnBadge status={row.status} /> },
      { key: 'money', title: t('Money'), cell: row => <Money row={row} /> },
      {
        key: 'order',
        title: t('Order'),
        cell: row =>
          row.order_id === null ? (
            <span className={style.dim}>–</span>
          ) : (
            <Link to="/parcels/orders" search={{ id: row.order_id }}>
              {row.order_no}
            </Link>
          ),
      },
      { key: 'customer', title: t('Customer'), flex: 2, cell: row => row.customer ?? '' },
      { key: 'pieces', title: t('Items'), align: 'end', cell: row => row.pieces },
      { key: 'source', title: t('Came by'), cell: row => sourceWord(row.source) },
      { key: 'requested', title: t('Requested'), sort: true, cell: row => <RelativeTime at={row.requested_at} as="age" /> },
      { key: 'arrived', title: t('Arrived'), cell: row => <RelativeTime at={row.arrived_at} as="age" /> },
      { key: 'due', title: t('Refund due'), sort: true, cell: row => <RelativeTime at={row.refund_due_at} as="day" /> },
      { key: 'shop', title: t('Shop'), hidden: true, cell: row => row.shop },
      ...(many ? [{ key: 'company', title: t('Company'), cell: (row: ReturnRow) => row.company }] : []),
    ],
    [t, many, urlWith],
  )
  const counted = (key: keyof NonNullable<typeof counts.data>) => (counts.data ? { count: counts.data[key] } : {})
  const views: View[] = [
    { key: 'open', title: t('Open returns'), search: {}, ...counted('open') },
    { key: 'approve', title: t('To approve'), search: { view: 'approve' }, ...counted('approve') },
    { key: 'expected', title: t('Expected'), search: { view: 'expected' }, ...counted('expected') },
    { key: 'arrived', title: t('Arrived'), search: { view: 'arrived' }, ...counted('arrived') },
    { key: 'decide', title: t('To decide'), search: { view: 'decide' }, ...counted('decide') },
    { key: 'money', title: t('Refund open'), search: { view: 'money' }, ...counted('money') },
    { key: 'overdue', title: t('Refund overdue'), search: { view: 'overdue' }, ...counted('overdue') },
    { key: 'orphans', title: t('Without an order'), search: { view: 'orphans' }, ...counted('orphans') },
    { key: 'closed', title: t('Closed'), search: { view: 'closed' } },
  ]
  const byCompany = useCompanyFilter({
    kind: 'many',
    value: url.company.map(String),
    set: company => setUrl({ company: company.map(Number) }),
  })
  const filters: Filter[] = [
    {
      key: 'money',
      label: t('Money'),
      kind: 'many',
      options: moneyStates.map(value => ({ value, label: moneyWord(value) })),
      value: url.money,
      set: money => setUrl({ money: moneyStates.filter(one => money.includes(one)) }),
    },
    {
      key: 'source',
      label: t('Came by'),
      kind: 'many',
      options: returnSources.map(value => ({ value, label: sourceWord(value) })),
      value: url.source,
      set: source => setUrl({ source: returnSources.filter(one => source.includes(one)) }),
    },
    ...byCompany,
    ...spanFilters('requested', t('Requested'), url.requested, requested => setUrl({ requested })),
  ]
  return (
    <Page
      title={t('Returns')}
      fill
      actions={
        <>
          {works ? (
            <Button visibleFrom="md" variant="default" leftSection={<IconSettings size={16} />} onClick={() => setSettings(true)}>
              {t('Rules')}
            </Button>
          ) : null}
          <Button
            visibleFrom="sm"
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={save.isPending}
            onClick={() => save.mutate(undefined)}
          >
            {t('Export')}
          </Button>
          {works ? (
            <Button visibleFrom="sm" variant="default" component={Link} to="/returns/desk">
              {t('Returns desk')}
            </Button>
          ) : null}
          {works ? (
            <Button leftSection={<IconBarcode size={16} />} onClick={() => setScanning(true)}>
              {t('Scan return')}
            </Button>
          ) : null}
        </>
      }
    >
      <DataTable
        name="returns"
        label={t('Returns')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id })}
        cameFrom={cameFrom}
        sort={url.sort}
        onSort={sort => setUrl({ sort: returnSorts.find(one => one === sort) ?? '-requested' })}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="returns"
            search={{
              value: url.query,
              set: query => setUrl({ query, page: 1 }, { replace: true }),
              label: t('Return, order, customer'),
            }}
            filters={filters}
            views={views}
          />
        }
        filtered={
          url.query !== '' || url.view !== 'open' || url.requested !== '' || url.money.length + url.source.length + url.company.length > 0
        }
        clearFilters={() => setUrl({ query: '', view: 'open', money: [], source: [], company: [], requested: '', page: 1 })}
        empty={
          <EmptyList
            title={t('No open returns')}
            action={
              works ? (
                <Button onClick={() => setScanning(true)}>{t('Scan return')}</Button>
              ) : (
                <Button component={Link} to="/parcels/orders">
                  {t('Orders')}
                </Button>
              )
            }
          >
            {t('A return comes here when a customer announces it, or when its parcel is scanned.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{row.rma_no}</strong>
              <ReturnBadge status={row.status} />
            </RowCardLine>
            <RowCardLine>
              <span>{row.customer ?? sourceWord(row.source)}</span>
              <Money row={row} />
            </RowCardLine>
            <span className={style.dim}>{[row.order_no, t('{{count}} items', { count: row.pieces })].filter(Boolean).join(' · ')}</span>
            {row.refund_due_at === null ? null : (
              <span className={style.dim}>
                {t('Refund due')} <RelativeTime at={row.refund_due_at} as="day" />
              </span>
            )}
          </RowCard>
        )}
      />
      {works ? <ScanReturn opened={scanning} close={() => setScanning(false)} open={id => setUrl({ id })} /> : null}
      <Drawer opened={settings} onClose={() => setSettings(false)} title={t('Rules for returns')}>
        <Suspense>{settings ? <ReturnSettingsForm close={() => setSettings(false)} /> : null}</Suspense>
      </Drawer>
    </Page>
  )
}
