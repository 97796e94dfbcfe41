/** Every invoice, credit and draft. */
import { Anchor, Button } from '@mantine/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import { isOneOf } from '#domain/objects.ts'
import { useCompanyFilter } from '#ui/kit/company-filter.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { country, day, money, number } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useCommand } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { InvoiceBadge, stateLabels } from './invoice.labels.tsx'
import { invoiceSorts, invoiceStates } from './invoices.codes.ts'
import { invoices } from './invoices.contract.ts'
import type { TradeInvoice } from './invoices.schemas.ts'
import type { InvoicesProps } from './invoices-url.client.ts'

const path = '/lists/invoices'
const keyOf = (row: TradeInvoice) => row.id
const states = ['open', ...invoiceStates] as const

interface TableProps extends InvoicesProps {
  top: ReactNode
  note: ReactNode
  cameFrom: number | null
}

export function InvoiceTable({ top, note, cameFrom, url, setUrl, urlWith }: TableProps) {
  const t = useT()
  const { CompanyLookup } = useSignedIn().init
  const question = {
    sort: url.sort,
    ...(url.query && { query: url.query }),
    ...(url.state && { state: url.state }),
    ...(url.country && { country: url.country }),
    ...(url.company && { company_id: Number(url.company) }),
    ...(url.from && { from: url.from }),
    ...(url.to && { to: url.to }),
  }
  const list = usePagedList(invoices.list, { ...question, page: url.page, limit: 50 }, { live: ['invoice'], keyOf })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, since what is kept from an earlier visit may be old
  useEffect(() => list.showPendingChanges(), [])
  const save = useCommand(() => send(invoices.export, question), { done: saveFile })
  const columns = useMemo<Column<TradeInvoice>[]>(
    () => [
      {
        key: 'invoice_no',
        title: t('Number'),
        flex: 1,
        sort: true,
        cell: row => (
          <Anchor component={Link} underline="always" to={path} search={urlWith({ id: row.id })}>
            {row.invoice_no ?? t('Draft')}
          </Anchor>
        ),
      },
      { key: 'kind', title: t('Type'), cell: row => (row.kind === 'credit' ? t('Credit') : t('Invoice')) },
      { key: 'courier', title: t('Courier'), flex: 1, cell: row => t(row.agent) },
      { key: 'country', title: t('Country'), flex: 1, cell: row => country(row.country) },
      { key: 'parcels', title: t('Parcels'), align: 'end', sort: true, cell: row => number(row.parcels) },
      { key: 'lines', title: t('Lines'), align: 'end', hidden: true, cell: row => number(row.lines) },
      { key: 'total', title: t('Total'), align: 'end', sort: true, cell: row => money(row.total, row.currency) },
      { key: 'state', title: t('Status'), cell: row => <InvoiceBadge of={row} /> },
      { key: 'issued', title: t('Date'), cell: row => day(row.issued_on) },
      { key: 'sent', title: t('Sent'), hidden: true, cell: row => <RelativeTime at={row.sent_at} /> },
      ...(CompanyLookup.length > 1
        ? [{ key: 'company', title: t('Company'), flex: 1, hidden: true, cell: (row: TradeInvoice) => row.company }]
        : []),
    ],
    [t, urlWith, CompanyLookup],
  )
  const ofCompany = useCompanyFilter({
    kind: 'one',
    value: url.company ? [url.company] : [],
    set: ([value = '']) => setUrl({ company: value, page: 1 }),
  })
  const filtered = [url.query, url.state, url.country, url.company, url.from, url.to].some(value => value !== '')
  return (
    <Page tabs={top} title={t('Invoices')} note={note} fill actions={<ExportButton save={save} />}>
      <DataTable
        name="invoices"
        label={t('Invoices')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        open={row => setUrl({ id: row.id })}
        cameFrom={cameFrom}
        sort={url.sort}
        onSort={sort => setUrl({ sort: invoiceSorts.find(one => one === sort) ?? '-id' })}
        onPage={page => setUrl({ page })}
        toolbar={
          <FilterBar
            name="invoices"
            search={{
              value: url.query,
              set: query => setUrl({ query, page: 1 }, { replace: true }),
              label: t('Invoice, parcel or order number'),
            }}
            filters={[
              {
                key: 'state',
                label: t('Status'),
                kind: 'one',
                options: states.map(value => ({ value, label: value === 'open' ? t('Open') : t(stateLabels[value]) })),
                value: url.state ? [url.state] : [],
                set: ([value = '']) => setUrl({ state: isOneOf(states, value) ? value : '', page: 1 }),
              },
              ...ofCompany,
            ]}
          />
        }
        filtered={filtered}
        clearFilters={() => setUrl({ query: '', state: '', country: '', company: '', from: '', to: '', page: 1 })}
        empty={
          <EmptyList
            title={t('No invoices yet')}
            action={
              <Button variant="default" component={Link} to="/settings/bulk-invoicing-config">
                {t('Open bulk invoicing')}
              </Button>
            }
          >
            {t('Parcels that are packed for a country with bulk invoicing wait in its tab.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.invoice_no ?? t('Draft')}</span>
              <InvoiceBadge of={row} />
            </RowCardLine>
            <RowCardLine>
              <span>{`${t(row.agent)} → ${country(row.country)}`}</span>
              <span>{money(row.total, row.currency)}</span>
            </RowCardLine>
          </RowCard>
        )}
      />
    </Page>
  )
}
