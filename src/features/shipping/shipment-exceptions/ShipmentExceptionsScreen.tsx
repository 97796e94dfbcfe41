/** Shipment exceptions: parcels that need somebody after the hand-over, what is due first on top. */
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { labels } from '#features/shipping/labels/labels.contract.ts'
import { OrderLink } from '#features/shipping/labels/OrderLink.tsx'
import { ShipmentBadge } from '#features/shipping/labels/shipment.labels.tsx'
import { ActionBar } from '#ui/kit/ActionBar.tsx'
import { BulkFailures } from '#ui/kit/BulkFailures.tsx'
import { confirm } from '#ui/kit/Confirm.tsx'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { type Filter, FilterBar, type View } from '#ui/kit/FilterBar.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList, useSelection } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { ShipmentExceptionDrawer } from './ShipmentExceptionDrawer.tsx'
import style from './ShipmentExceptions.module.css'
import { NextStepDue, ShipmentExceptionBadge, shipmentExceptionWord } from './shipment-exception.labels.tsx'
import { shipmentExceptionKinds, shipmentExceptionSorts } from './shipment-exceptions.codes.ts'
import { shipmentExceptions } from './shipment-exceptions.contract.ts'
import type { ShipmentException, ShipmentExceptionResult } from './shipment-exceptions.schemas.ts'
import { questionOf, ShipmentExceptionsUrl } from './shipment-exceptions-url.client.ts'

const path = '/parcels/shipments/exceptions'
const keyOf = (row: ShipmentException) => row.id
const live = ['shipment_exception', 'shipment'] as const
const refreshes = [shipmentExceptions.list, shipmentExceptions.count, shipmentExceptions.get, labels.get, labels.search]

export function ShipmentExceptionsScreen() {
  const t = useT()
  const { init, user } = useSignedIn()
  const [url, setUrl, urlWith] = useUrlState(ShipmentExceptionsUrl)
  const question = questionOf(url)
  const many = init.CompanyLookup.length > 1
  const counts = useCall(shipmentExceptions.count, {}, { live, fresh: 2_000 })
  const list = usePagedList(shipmentExceptions.list, { ...question, page: url.page, limit: 50 }, { live, keyOf })
  const selection = useSelection(question)
  const [refused, setRefused] = useState<readonly ShipmentExceptionResult[]>([])
  const save = useCommand(() => send(shipmentExceptions.exportAll, question), { done: saveFile })
  const courierName = useMemo(() => new Map(init.ParcelAgentCode.map(agent => [agent.agent_code, agent.name])), [init])
  const finish = (sentence: (count: number) => string) => ({
    refreshes,
    done: ({ results }: { results: readonly ShipmentExceptionResult[] }) => {
      const left = results.filter(result => !result.done)
      if (left.length < results.length) toastSuccess(sentence(results.length - left.length))
      setRefused(left)
      selection.clear()
      list.showPendingChanges()
    },
  })
  const assign = useSend(
    shipmentExceptions.assignMany,
    finish(count => t('{{count}} exceptions are yours', { count })),
  )
  const resolve = useSend(
    shipmentExceptions.resolveMany,
    finish(count => t('{{count}} exceptions resolved', { count })),
  )
  const chosen = () => [...selection.keys].map(Number)
  const resolveChosen = async () => {
    const ids = chosen()
    if (
      await confirm({
        title: t('Resolve {{count}} exceptions?', { count: ids.length }),
        body: t('They leave this list. A new event of the courier opens them again.'),
        action: t('Resolve'),
      })
    )
      resolve.mutate({ body: { ids, resolution: 'solved' } })
  }

  const columns = useMemo<Column<ShipmentException>[]>(
    () => [
      {
        key: 'tracking_no',
        title: t('Tracking number'),
        cell: row => (
          <Link to={path} search={urlWith({ id: row.id })}>
            {row.tracking_no ?? t('No number yet')}
          </Link>
        ),
      },
      { key: 'order', title: t('Order'), sort: true, cell: row => <OrderLink shipment={row} /> },
      { key: 'kind', title: t('Problem'), cell: row => shipmentExceptionWord(row.kind) },
      { key: 'state', title: t('Status'), cell: row => <ShipmentBadge state={row.shipment_state} /> },
      { key: 'courier', title: t('Courier'), cell: row => t(courierName.get(row.agent_code) ?? row.agent_code) },
      { key: 'since', title: t('Since'), sort: true, cell: row => <RelativeTime at={row.opened_at} as="age" /> },
      ...(url.view === 'resolved'
        ? [
            { key: 'outcome', title: t('Outcome'), cell: (row: ShipmentException) => <ShipmentExceptionBadge of={row} /> },
            { key: 'resolved_by', title: t('Resolved by'), cell: (row: ShipmentException) => row.resolved_by ?? '' },
            { key: 'resolved_at', title: t('Resolved'), cell: (row: ShipmentException) => <RelativeTime at={row.resolved_at} as="age" /> },
          ]
        : [
            {
              key: 'owner',
              title: t('Owner'),
              cell: (row: ShipmentException) => row.owner_name ?? <span className={style.dim}>{t('No one')}</span>,
            },
            {
              key: 'step',
              title: t('Next step'),
              flex: 2,
              cell: (row: ShipmentException) => <span title={row.next_step}>{row.next_step || '–'}</span>,
            },
            { key: 'due', title: t('Due'), sort: true, cell: (row: ShipmentException) => <NextStepDue of={row} /> },
          ]),
      { key: 'country', title: t('Country'), hidden: true, cell: row => row.country },
      { key: 'note', title: t('Note'), flex: 1, hidden: true, cell: row => <span title={row.note}>{row.note.split('\n').at(-1)}</span> },
      ...(many ? [{ key: 'company', title: t('Company'), cell: (row: ShipmentException) => row.company }] : []),
    ],
    [t, many, url.view, urlWith, courierName],
  )
  const counted = (key: 'open' | 'mine' | 'unassigned' | 'overdue') => (counts.data ? { count: counts.data[key] } : {})
  const views: View[] = [
    { key: 'open', title: t('Unresolved'), search: {}, ...counted('open') },
    { key: 'mine', title: t('Mine'), search: { view: 'mine' }, ...counted('mine') },
    { key: 'unassigned', title: t('Unassigned'), search: { view: 'unassigned' }, ...counted('unassigned') },
    { key: 'overdue', title: t('Overdue'), search: { view: 'overdue' }, ...counted('overdue') },
    { key: 'resolved', title: t('Resolved'), search: { view: 'resolved' } },
  ]
  const byCompany = useCompanyFilter({
    kind: 'many',
    value: url.company.map(String),
    set: company => setUrl({ company: company.map(Number) }),
  })
  const filters: Filter[] = [
    {
      key: 'kind',
      label: t('Problem'),
      kind: 'many',
      options: shipmentExceptionKinds.map(value => ({ value, label: shipmentExceptionWord(value) })),
      value: url.kind,
      set: kind => setUrl({ kind: [...kind] }),
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
  ]
  return (
    <Page
      title={t('Shipment exceptions')}
      fill
      actions={
        <Button
          visibleFrom="sm"
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={save.isPending}
          onClick={() => save.mutate(undefined)}
        >
          {t('Export')}
        </Button>
      }
    >
      <DataTable
        name="shipment-exceptions"
        label={t('Shipment exceptions')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id })}
        opened={url.id || null}
        sort={url.sort}
        onSort={sort => setUrl({ sort: shipmentExceptionSorts.find(one => one === sort) ?? 'due' })}
        onPage={page => setUrl({ page })}
        {...(url.view === 'resolved'
          ? {}
          : {
              selection,
              bulk: (
                <ActionBar selection={selection} list={list}>
                  <Button
                    size="compact-md"
                    loading={assign.isPending}
                    onClick={() => assign.mutate({ body: { ids: chosen(), user_id: user.user_id } })}
                  >
                    {t('Assign to me')}
                  </Button>
                  <Button size="compact-md" variant="default" loading={resolve.isPending} onClick={() => void resolveChosen()}>
                    {t('Resolve')}
                  </Button>
                </ActionBar>
              ),
            })}
        toolbar={
          <FilterBar
            name="shipment-exceptions"
            search={{
              value: url.query,
              set: query => setUrl({ query }, { replace: true }),
              label: t('Parcel, order or owner'),
            }}
            filters={filters}
            views={views}
          />
        }
        filtered={url.query !== '' || url.view !== 'open' || url.agent !== '' || url.kind.length + url.company.length > 0}
        clearFilters={() => setUrl({ query: '', view: 'open', agent: '', kind: [], company: [] })}
        empty={
          <EmptyList
            title={t('No shipment exceptions')}
            action={
              <Button component={Link} to="/parcels/shipments">
                {t('Shipments')}
              </Button>
            }
          >
            {t('A parcel comes here when its courier reports a problem, or reports nothing for too long.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{row.tracking_no ?? row.order_no}</strong>
              {row.resolved_at === null ? <NextStepDue of={row} /> : <ShipmentExceptionBadge of={row} />}
            </RowCardLine>
            <RowCardLine>
              <span>{shipmentExceptionWord(row.kind)}</span>
              <RelativeTime at={row.opened_at} as="age" />
            </RowCardLine>
            <span className={style.dim}>{[row.order_no, row.owner_name ?? t('No one'), row.next_step].filter(Boolean).join(' · ')}</span>
          </RowCard>
        )}
      />
      <ShipmentExceptionDrawer id={url.id} close={() => setUrl({ id: 0 })} refreshes={refreshes} changed={list.showPendingChanges} />
      <BulkFailures
        title={t('{{count}} exceptions were left as they are', { count: refused.length })}
        refused={refused}
        keyOf={result => result.id}
        close={() => setRefused([])}
      >
        {result => (
          <>
            <b>{list.rows.find(row => row.id === result.id)?.tracking_no ?? result.id}</b>: {result.key ? t(result.key, result.values) : ''}
          </>
        )}
      </BulkFailures>
    </Page>
  )
}
