/** Exceptions: orders that left a packing station with a problem, the one that is due first on top. */
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Deadline } from '#features/orders/orders/order.labels.tsx'
import { orders } from '#features/orders/orders/orders.contract.ts'
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
import { ScannerHere, useScanHandler } from '#ui/scanner/handlers.tsx'
import { DecideMany, DecisionReport } from './DecideMany.tsx'
import { ExceptionDrawer } from './ExceptionDrawer.tsx'
import style from './Exceptions.module.css'
import { Due, ExceptionBadge, kindWord } from './exception.labels.tsx'
import { exceptionKinds } from './exceptions.codes.ts'
import { exceptions } from './exceptions.contract.ts'
import type { Exception, ExceptionResult } from './exceptions.schemas.ts'
import { ExceptionsUrl, questionOf } from './exceptions-url.client.ts'

const keyOf = (row: Exception) => row.id
const live = ['exception', 'order'] as const
const refreshes = [exceptions.list, exceptions.count, exceptions.get, orders.get, orders.search]

/** What is wrong, in one line: the product, else the last words. */
const whatOf = (row: Exception): string => row.item ?? row.note.split('\n').at(-1) ?? ''
const totesOf = (row: Exception): string => row.totes.map(digits => `PP${digits}`).join(', ')

export function ExceptionsScreen() {
  return (
    <ScannerHere onUnknown={() => undefined}>
      <Exceptions />
    </ScannerHere>
  )
}

function Exceptions() {
  const t = useT()
  const { init, user } = useSignedIn()
  const [url, setUrl] = useUrlState(ExceptionsUrl)
  const question = questionOf(url)
  const many = init.CompanyLookup.length > 1
  const counts = useCall(exceptions.count, {}, { live, fresh: 2_000 })
  const list = usePagedList(exceptions.list, { ...question, page: url.page, limit: 50 }, { live, keyOf })
  const selection = useSelection(question)
  const [refused, setRefused] = useState<readonly ExceptionResult[]>([])
  const [report, setReport] = useState<readonly ExceptionResult[]>([])
  const save = useCommand(() => send(exceptions.exportAll, question), { done: saveFile })
  useScanHandler({
    match: code => (code.kind === 'refused' || code.kind === 'command' ? null : code.text),
    handle: text => setUrl({ query: text, id: 0 }),
  })
  const finish = (sentence: (count: number) => string) => ({
    refreshes,
    done: ({ results }: { results: readonly ExceptionResult[] }) => {
      const left = results.filter(result => !result.done)
      if (left.length < results.length) toastSuccess(sentence(results.length - left.length))
      setRefused(left)
      selection.clear()
      list.showPendingChanges()
    },
  })
  const assign = useSend(
    exceptions.assignMany,
    finish(count => t('{{count}} exceptions are yours', { count })),
  )
  const resolve = useSend(
    exceptions.resolveMany,
    finish(count => t('{{count}} exceptions resolved', { count })),
  )
  const decide = useSend(exceptions.resolveMany, {
    refreshes,
    done: ({ results }) => {
      setReport(results)
      selection.clear()
      list.showPendingChanges()
    },
  })
  const chosen = () => [...selection.keys].map(Number)
  const resolveChosen = async () => {
    const ids = chosen()
    if (
      await confirm({
        title: t('Resolve {{count}} exceptions?', { count: ids.length }),
        body: t('Orders that were set aside go back into the packing queue.'),
        action: t('Resolve'),
      })
    )
      resolve.mutate({ body: { ids } })
  }

  const columns = useMemo<Column<Exception>[]>(
    () => [
      {
        key: 'order',
        title: t('Order'),
        cell: row => (
          <Link to="/parcels/exceptions" search={{ id: row.id, ...(url.view === 'open' ? {} : { view: url.view }) }}>
            {row.order_no}
          </Link>
        ),
      },
      { key: 'kind', title: t('Problem'), cell: row => kindWord(row.kind) },
      { key: 'what', title: t('Details'), flex: 2, cell: row => <span title={row.note}>{whatOf(row)}</span> },
      ...(url.view === 'resolved'
        ? [
            { key: 'state', title: t('Outcome'), cell: (row: Exception) => <ExceptionBadge of={row} /> },
            { key: 'resolved_by', title: t('Resolved by'), cell: (row: Exception) => row.resolved_by ?? '' },
            { key: 'resolved_at', title: t('Resolved'), cell: (row: Exception) => <RelativeTime at={row.resolved_at} as="age" /> },
          ]
        : [
            { key: 'due', title: t('Due'), cell: (row: Exception) => <Due of={row} /> },
            {
              key: 'owner',
              title: t('Owner'),
              cell: (row: Exception) => row.owner_name ?? <span className={style.dim}>{t('No one')}</span>,
            },
          ]),
      { key: 'ship_by', title: t('Ship by'), cell: row => <Deadline at={row.ship_by} phase={row.phase} /> },
      { key: 'reported_by', title: t('Reported by'), cell: row => row.reported_by },
      { key: 'reported', title: t('Reported'), cell: row => <RelativeTime at={row.reported_at} as="age" /> },
      { key: 'station', title: t('Station'), hidden: true, cell: row => row.station ?? '' },
      { key: 'totes', title: t('Tote'), cell: row => totesOf(row) },
      { key: 'customer', title: t('Customer'), flex: 1, hidden: true, cell: row => row.customer_name },
      ...(many ? [{ key: 'company', title: t('Company'), cell: (row: Exception) => row.company }] : []),
    ],
    [t, many, url.view],
  )
  const counted = (key: keyof NonNullable<typeof counts.data>) => (counts.data ? { count: counts.data[key] } : {})
  const views: View[] = [
    { key: 'open', title: t('Unresolved'), search: {}, ...counted('open') },
    { key: 'mine', title: t('Mine'), search: { view: 'mine' }, ...counted('mine') },
    { key: 'unassigned', title: t('Unassigned'), search: { view: 'unassigned' }, ...counted('unassigned') },
    { key: 'overdue', title: t('Overdue'), search: { view: 'overdue' }, ...counted('overdue') },
    { key: 'label_error', title: t('Label error'), search: { view: 'label_error' }, ...counted('label_error') },
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
      options: exceptionKinds.map(value => ({ value, label: kindWord(value) })),
      value: url.kind,
      set: kind => setUrl({ kind: [...kind] }),
    },
    ...byCompany,
  ]
  return (
    <Page
      title={t('Exceptions')}
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
        name="exceptions"
        label={t('Exceptions')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id })}
        opened={url.id || null}
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
                  <DecideMany
                    ids={chosen()}
                    decide={resolution => decide.mutate({ body: { ids: chosen(), resolution } })}
                    busy={decide.isPending}
                  />
                </ActionBar>
              ),
            })}
        toolbar={
          <FilterBar
            name="exceptions"
            search={{ value: url.query, set: query => setUrl({ query }, { replace: true }), label: t('Order, tote, product or owner') }}
            filters={filters}
            views={views}
          />
        }
        filtered={url.query !== '' || url.view !== 'open' || url.kind.length + url.company.length > 0}
        clearFilters={() => setUrl({ query: '', view: 'open', kind: [], company: [] })}
        empty={
          <EmptyList
            title={t('No exceptions')}
            action={
              <Button component={Link} to="/parcels/orders">
                {t('Orders')}
              </Button>
            }
          >
            {t('An order comes here when a packer sets it aside, or when its label cannot be made.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <strong>{row.order_no}</strong>
              {row.resolved_at === null ? <Due of={row} /> : <ExceptionBadge of={row} />}
            </RowCardLine>
            <RowCardLine>
              <span>{kindWord(row.kind)}</span>
              <span className={style.dim}>{row.owner_name ?? t('No one')}</span>
            </RowCardLine>
            <span className={style.dim}>{[whatOf(row), totesOf(row)].filter(Boolean).join(' · ')}</span>
          </RowCard>
        )}
      />
      <ExceptionDrawer id={url.id} close={() => setUrl({ id: 0 })} refreshes={refreshes} changed={list.showPendingChanges} />
      <DecisionReport results={report} close={() => setReport([])} />
      <BulkFailures
        title={t('{{count}} exceptions were left as they are', { count: refused.length })}
        refused={refused}
        keyOf={result => result.id}
        close={() => setRefused([])}
      >
        {result => (
          <>
            <b>{result.order_no}</b>: {result.key ? t(result.key, result.values) : ''}
          </>
        )}
      </BulkFailures>
    </Page>
  )
}
