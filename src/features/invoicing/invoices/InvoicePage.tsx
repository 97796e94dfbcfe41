/** One invoice: the checks of a draft before it gets its number; lines, parcels, files and mails of a frozen one. */
import { Button, Menu, Pagination, Stack, Table, Text } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconDownload,
  IconLock,
  IconPrinter,
  IconReceiptRefund,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { access } from '#contract/access.ts'
import { invoiceFormats } from '#features/invoicing/bulk-invoicing/bulk-invoicing.codes.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { useDevicePrinter } from '#ui/device/device-storage.ts'
import { confirm } from '#ui/kit/Confirm.tsx'
import { DetailPage, type Fact, Panel, StatusStrip } from '#ui/kit/DetailPage.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { country, day, money, number, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { toastFailure, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { CreditDialog, SendDialog } from './InvoiceDialogs.tsx'
import { deliveryLabels, gapLabels, InvoiceBadge } from './invoice.labels.tsx'
import type { CheckLevel } from './invoices.codes.ts'
import { mostNamed } from './invoices.codes.ts'
import { invoices } from './invoices.contract.ts'
import type { InvoiceInFull } from './invoices.schemas.ts'
import type { InvoicesProps } from './invoices-url.client.ts'

const path = '/lists/invoices'
const refreshes = [invoices.get, invoices.list, invoices.tabs, invoices.orders]

export function InvoicePage({ url, setUrl, urlWith }: InvoicesProps) {
  const [parcels_page, setPage] = useState(1)
  const answer = useCall(invoices.get, { id: url.id, parcels_page }, { live: ['invoice', 'bulk_config'], keep: true })
  return (
    <QueryState of={answer} shape="page">
      {invoice => (
        <Opened
          invoice={invoice}
          back={urlWith({ id: 0 })}
          open={id => setUrl({ id })}
          removed={() => setUrl({ id: 0 })}
          page={parcels_page}
          setPage={setPage}
        />
      )}
    </QueryState>
  )
}

interface OpenedProps {
  invoice: InvoiceInFull
  back: Record<string, unknown>
  open: (id: number) => void
  removed: () => void
  page: number
  setPage: (page: number) => void
}

function Opened({ invoice, back, open, removed, page, setPage }: OpenedProps) {
  const t = useT()
  const [asking, ask] = useState<'send' | 'credit' | null>(null)
  const mayCredit = useIsAllowed(access.listsAdmin)
  const draft = invoice.state === 'draft'
  const { id, version, fingerprint } = invoice
  const freeze = useSend(invoices.freeze, {
    refreshes,
    said: answer => t('Invoice {{number}} is frozen', { number: answer.invoice_no ?? '' }),
  })
  const remove = useSend(invoices.removeDraft, { refreshes, said: t('Draft deleted'), done: removed })
  const errors = invoice.checks.filter(check => check.level === 'error').length
  const askToFreeze = async () => {
    const yes = await confirm({
      title: t('Freeze the invoice?'),
      body: t('It gets the next number and cannot be changed afterwards.'),
      action: t('Freeze invoice'),
      keep: t('Keep draft'),
    })
    if (yes) freeze.mutate({ id, body: { version, ...(fingerprint !== null && { fingerprint }) } })
  }
  const title = invoice.invoice_no ?? t('Draft')
  return (
    <DetailPage
      title={title}
      documentTitle={`${t('Invoice')} ${title}`}
      {...(!draft && { copyLabel: t('Copy') })}
      back={{ to: path, search: back, label: t('Back to the list') }}
      badge={<InvoiceBadge of={invoice} />}
      note={`${t(invoice.agent)} → ${country(invoice.country)}`}
      primary={
        draft ? (
          <Button
            leftSection={<IconLock size={16} />}
            {...disabledBecause(errors > 0 && t('Correct the errors below first'))}
            loading={freeze.isPending}
            onClick={() => void askToFreeze()}
          >
            {t('Freeze')}
          </Button>
        ) : (
          <Button leftSection={<IconSend size={16} />} onClick={() => ask('send')}>
            {t('Send')}
          </Button>
        )
      }
      more={
        draft ? (
          <>
            <DownloadItems invoice={invoice} />
            <Menu.Item color="brick" leftSection={<IconTrash size={16} />} onClick={() => remove.mutate({ id })}>
              {t('Delete draft')}
            </Menu.Item>
          </>
        ) : (
          <>
            <PrintItem invoice={invoice} />
            <DownloadItems invoice={invoice} />
            {mayCredit && invoice.kind === 'invoice' && invoice.state !== 'credited' ? (
              <Menu.Item leftSection={<IconReceiptRefund size={16} />} onClick={() => ask('credit')}>
                {t('Credit invoice')}
              </Menu.Item>
            ) : null}
          </>
        )
      }
      strip={stripOf(invoice, t)}
      facts={[
        { name: t('Parcels'), value: number(invoice.parcels) },
        { name: t('Total'), value: money(invoice.total, invoice.currency) },
        { name: t('Net weight'), value: weight(invoice.net_g) },
        { name: t('Gross weight'), value: weight(invoice.gross_g) },
      ]}
      details={detailsOf(invoice, t, open)}
      side={
        draft ? (
          <Checks invoice={invoice} />
        ) : invoice.deliveries.length > 0 ? (
          <Panel title={t('E-mail')}>
            <Stack gap="xs">
              {invoice.deliveries.map(one => (
                <div key={one.id}>
                  <Text size="sm">{one.to_address}</Text>
                  <Text size="sm" c="dimmed">
                    {t(deliveryLabels[one.state])} · {one.formats.join(', ').toUpperCase()} · <RelativeTime at={one.at} />
                  </Text>
                </div>
              ))}
            </Stack>
          </Panel>
        ) : undefined
      }
    >
      <Lines invoice={invoice} />
      <Parcels invoice={invoice} page={page} setPage={setPage} />
      {asking === 'send' ? <SendDialog invoice={invoice} close={() => ask(null)} /> : null}
      {asking === 'credit' ? <CreditDialog invoice={invoice} close={() => ask(null)} done={open} /> : null}
    </DetailPage>
  )
}

function stripOf(invoice: InvoiceInFull, t: ReturnType<typeof useT>) {
  const errors = invoice.checks.filter(check => check.level === 'error').length
  if (invoice.state === 'draft')
    return errors > 0 ? (
      <StatusStrip tone="stop">{t('{{count}} checks fail. Correct them before you freeze it.', { count: errors })}</StatusStrip>
    ) : null
  if (invoice.state === 'blocked')
    return <StatusStrip tone="stop">{t('A parcel on it was cancelled. Credit it and freeze it again without the parcel.')}</StatusStrip>
  return null
}

function detailsOf(invoice: InvoiceInFull, t: ReturnType<typeof useT>, open: (id: number) => void): Fact[] {
  const other = (name: string, of: InvoiceInFull['credits']): Fact[] =>
    of === null
      ? []
      : [
          {
            name,
            value: (
              <Button variant="subtle" size="compact-sm" onClick={() => open(of.id)}>
                {of.invoice_no ?? t('Draft')}
              </Button>
            ),
          },
        ]
  const party = ({ name, city, country: land, vat_no }: InvoiceInFull['importer']) =>
    [name, city, land === '' ? '' : country(land), vat_no].filter(Boolean).join(', ') || '–'
  return [
    { name: t('Date'), value: day(invoice.issued_on) },
    { name: t('Company'), value: invoice.company },
    { name: t('Exporter'), value: party(invoice.exporter) },
    { name: t('Importer'), value: party(invoice.importer) },
    { name: t('Terms'), value: [invoice.terms, invoice.terms_place].filter(Boolean).join(' ') },
    ...invoice.rates.map(rate => ({ name: t('Rate'), value: `1 ${rate.from} = ${rate.rate} ${rate.to}` })),
    ...(invoice.rounding === 0 ? [] : [{ name: t('Rounding'), value: money(invoice.rounding, invoice.currency) }]),
    ...(invoice.reason === '' ? [] : [{ name: t('Reason'), value: invoice.reason }]),
    ...other(t('Credits'), invoice.credits),
    ...other(t('Credited by'), invoice.credited_by),
    ...other(t('Replaces'), invoice.replaces),
    ...other(t('Replaced by'), invoice.replaced_by),
    ...(invoice.frozen_at
      ? [
          {
            name: t('Frozen'),
            value: (
              <>
                <RelativeTime at={invoice.frozen_at} /> {invoice.frozen_by}
              </>
            ),
          },
        ]
      : []),
    ...(invoice.handed_over_at ? [{ name: t('Handed over'), value: <RelativeTime at={invoice.handed_over_at} /> }] : []),
    ...(invoice.kept_until ? [{ name: t('Kept by law until'), value: day(invoice.kept_until) }] : []),
  ]
}

const icons: Record<CheckLevel, typeof IconClock> = { error: IconAlertTriangle, warning: IconClock, ok: IconCircleCheck }
const colours: Record<CheckLevel, string> = { error: 'var(--stop)', warning: 'var(--soon)', ok: 'var(--done)' }

function Checks({ invoice }: { invoice: InvoiceInFull }) {
  const t = useT()
  const orders = useIsAllowed(access.parcels)
  return (
    <Panel title={t('Checks')}>
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {invoice.checks.map(check => {
          const Icon = icons[check.level]
          return (
            <li key={check.code} style={{ display: 'flex', gap: 'var(--s-2)' }}>
              <Icon size={20} color={colours[check.level]} style={{ flex: 'none' }} />
              <div>
                <Text size="sm" fw={check.level === 'error' ? 600 : 400}>
                  {t(check.text, check.values)}
                </Text>
                {check.code === 'rate_missing' && check.level === 'error' ? (
                  <Link to="/settings/bulk-invoicing-config">{t('Enter the rate')}</Link>
                ) : check.code === 'numbers' && check.level === 'error' ? (
                  <Link to="/settings/bulk-invoicing-config">{t('Open the settings')}</Link>
                ) : null}
                {check.level === 'error'
                  ? check.parcels.slice(0, 5).map(parcel => (
                      <Text size="sm" key={parcel.shipment_id}>
                        {orders && parcel.order_id !== null ? (
                          <Link to="/parcels/orders" search={{ id: parcel.order_id }}>
                            {parcel.order_no}
                          </Link>
                        ) : (
                          (parcel.order_no ?? parcel.tracking_no)
                        )}{' '}
                        {parcel.gaps.map(gap => t(gapLabels[gap])).join(', ')}
                      </Text>
                    ))
                  : null}
              </div>
            </li>
          )
        })}
      </Stack>
    </Panel>
  )
}

function Lines({ invoice }: { invoice: InvoiceInFull }) {
  const t = useT()
  return (
    <Panel title={t('Lines')} count={number(invoice.lines)} flush>
      <Table.ScrollContainer minWidth={640}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Description')}</Table.Th>
              <Table.Th>{t('Tariff code')}</Table.Th>
              <Table.Th>{t('Origin')}</Table.Th>
              <Table.Th ta="end">{t('Quantity')}</Table.Th>
              <Table.Th ta="end">{t('Net weight')}</Table.Th>
              <Table.Th ta="end">{t('Value')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {invoice.line_rows.slice(0, 500).map(line => (
              <Table.Tr key={line.position}>
                <Table.Td>{[line.sku, line.description].filter(Boolean).join(' · ')}</Table.Td>
                <Table.Td>{line.hs_code || '–'}</Table.Td>
                <Table.Td>{line.origin || '–'}</Table.Td>
                <Table.Td ta="end">{number(line.quantity)}</Table.Td>
                <Table.Td ta="end">{weight(line.net_g)}</Table.Td>
                <Table.Td ta="end">
                  {money(line.value, invoice.currency)}
                  {line.rounding === 0 ? null : (
                    <Text size="sm" c="dimmed">
                      {t('Rounding {{amount}}', { amount: money(line.rounding, invoice.currency) })}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  )
}

function Parcels({ invoice, page, setPage }: { invoice: InvoiceInFull; page: number; setPage: (page: number) => void }) {
  const t = useT()
  const orders = useIsAllowed(access.parcels)
  const pages = Math.ceil(invoice.parcels / mostNamed)
  return (
    <Panel title={t('Parcels')} count={number(invoice.parcels)} flush>
      <Table.ScrollContainer minWidth={560}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Tracking number')}</Table.Th>
              <Table.Th>{t('Order')}</Table.Th>
              <Table.Th>{t('Postcode')}</Table.Th>
              <Table.Th ta="end">{t('Gross weight')}</Table.Th>
              <Table.Th ta="end">{t('Value')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {invoice.parcel_rows.map(parcel => (
              <Table.Tr key={parcel.shipment_id}>
                <Table.Td>{parcel.tracking_no ?? '–'}</Table.Td>
                <Table.Td>
                  {orders && parcel.order_id !== null ? (
                    <Link to="/parcels/orders" search={{ id: parcel.order_id }}>
                      {parcel.order_no}
                    </Link>
                  ) : (
                    (parcel.order_no ?? '–')
                  )}
                </Table.Td>
                <Table.Td>{parcel.postcode}</Table.Td>
                <Table.Td ta="end">{weight(parcel.gross_g)}</Table.Td>
                <Table.Td ta="end">{money(parcel.value, invoice.currency)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {pages > 1 ? <Pagination total={pages} value={page} onChange={setPage} p="md" /> : null}
    </Panel>
  )
}

function DownloadItems({ invoice }: { invoice: InvoiceInFull }) {
  const t = useT()
  const download = useSend(invoices.download, { done: saveFile })
  const draft = invoice.state === 'draft'
  return invoiceFormats
    .filter(format => !draft || format === 'pdf')
    .map(format => (
      <Menu.Item
        key={format}
        leftSection={<IconDownload size={16} />}
        onClick={() => download.mutate({ id: invoice.id, format, ...(draft && { draft: true }) })}
      >
        {draft ? t('Preview as PDF') : t('Download as {{format}}', { format: format.toUpperCase() })}
      </Menu.Item>
    ))
}

function PrintItem({ invoice }: { invoice: InvoiceInFull }) {
  const t = useT()
  const printer = useDevicePrinter('invoice')
  const print = useSend(invoices.print, {
    refreshes: [printJobs.list],
    done: job => {
      if (job.state === 'failed' || job.state === 'cancelled') toastFailure(t(job.error ?? 'Not printed'))
      else toastSuccess(t('The sheet is at {{printer}}', { printer: job.printer_name }))
    },
  })
  return (
    <>
      <Menu.Label>{printer ? t('On the A4 printer of this device') : t('This device has no A4 printer yet.')}</Menu.Label>
      <Menu.Item
        leftSection={<IconPrinter size={16} />}
        {...disabledBecause(!printer && t('This device has no A4 printer yet.'))}
        onClick={() => printer !== null && print.mutate({ invoice_id: invoice.id, printer_id: printer, client_id: crypto.randomUUID() })}
      >
        {t('Print invoice')}
      </Menu.Item>
    </>
  )
}
