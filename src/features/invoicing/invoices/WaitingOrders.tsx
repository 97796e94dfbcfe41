/** The packed orders of one courier and country that wait for an invoice, with what each lacks. */
import { Anchor, Button, Group, MultiSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconFileInvoice } from '@tabler/icons-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { collectLists } from '#features/warehouse/collect-lists/collect-lists.contract.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { money, number, weight } from '#ui/kit/format.ts'
import { Link } from '#ui/kit/Link.tsx'
import { usePagedList } from '#ui/kit/list-state.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { RelativeTime } from '#ui/kit/RelativeTime.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { StateBadge } from '#ui/kit/StateBadge.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { send, useCall, useCommand, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { gapLabels } from './invoice.labels.tsx'
import { bulkInvoiceOrders, invoices } from './invoices.contract.ts'
import type { WaitingCount, WaitingOrder } from './invoices.schemas.ts'
import type { InvoicesProps } from './invoices-url.client.ts'

const keyOf = (row: WaitingOrder) => row.order_id ?? -(row.shipments[0]?.shipment_id ?? 0)
const refreshes = [invoices.orders, invoices.tabs, invoices.list]
const shows = ['all', 'missing', 'skipped'] as const

interface WaitingProps extends InvoicesProps {
  way: WaitingCount
  top: ReactNode
}

export function WaitingOrders({ way, top, url, setUrl }: WaitingProps) {
  const t = useT()
  const mayOpen = useIsAllowed(access.parcels)
  const { CompanyLookup } = useSignedIn().init
  const [asking, ask] = useState(false)
  const list = usePagedList(
    invoices.orders,
    {
      courier: way.agent_code,
      country: way.country,
      page: url.page,
      limit: 50,
      ...(url.query && { query: url.query }),
      ...(url.show === 'missing' && { missing: 'only' as const }),
      ...(url.show === 'skipped' && { skipped: 'only' as const }),
    },
    { live: ['invoice', 'product'], keyOf },
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, since what is kept from an earlier visit may be old
  useEffect(() => list.showPendingChanges(), [])
  const changed = { refreshes, done: () => list.showPendingChanges() }
  const takeIn = useCommand((id: number) => send(bulkInvoiceOrders.setSkip, { id, skip: false, body: null }), changed)
  const leaveOut = useCommand((id: number) => send(bulkInvoiceOrders.setSkip, { id, skip: true, body: null }), {
    refreshes,
    done: (_answer, id) => {
      list.showPendingChanges()
      toastWithUndo(t('The order is left out of bulk invoicing'), () => takeIn.mutate(id))
    },
  })
  const only = useSend(invoices.create, { refreshes, done: answer => setUrl({ id: answer.id }) })
  const columns = useMemo<Column<WaitingOrder>[]>(
    () => [
      {
        key: 'order',
        title: t('Order'),
        flex: 1,
        cell: row =>
          row.order_id !== null && mayOpen ? (
            <Anchor component={Link} underline="always" to="/parcels/orders" search={{ id: row.order_id }}>
              {row.order_no}
            </Anchor>
          ) : (
            (row.order_no ?? t('Without order'))
          ),
      },
      { key: 'parcels', title: t('Parcels'), flex: 2, cell: row => row.shipments.map(one => one.tracking_no ?? '–').join(', ') },
      {
        key: 'missing',
        title: t('Missing'),
        flex: 2,
        cell: row =>
          row.missing.length > 0 ? (
            <StateBadge tone="stop">{row.missing.map(gap => t(gapLabels[gap])).join(', ')}</StateBadge>
          ) : (
            <StateBadge tone="done">{t('Complete')}</StateBadge>
          ),
      },
      {
        key: 'value',
        title: t('Value'),
        align: 'end',
        cell: row => (row.value === null || row.currency === null ? '–' : money(row.value, row.currency)),
      },
      { key: 'lines', title: t('Lines'), align: 'end', hidden: true, cell: row => number(row.lines) },
      { key: 'weight', title: t('Weight'), align: 'end', cell: row => weight(row.shipments.reduce((sum, one) => sum + one.weight_g, 0)) },
      { key: 'queued', title: t('Packed'), cell: row => <RelativeTime at={row.queued_at} as="age" /> },
      ...(CompanyLookup.length > 1 ? [{ key: 'company', title: t('Company'), flex: 1, cell: (row: WaitingOrder) => row.company }] : []),
    ],
    [t, mayOpen, CompanyLookup],
  )
  return (
    <Page
      tabs={top}
      title={t('Invoices')}
      fill
      actions={
        <Button
          leftSection={<IconFileInvoice size={16} />}
          {...disabledBecause(way.ready + way.incomplete === 0 && t('No order waits for an invoice'))}
          onClick={() => ask(true)}
        >
          {t('New invoice')}
        </Button>
      }
    >
      <DataTable
        name="waiting-parcels"
        label={t('Parcels that wait')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        rowActions={row => {
          const { order_id } = row
          return [
            ...(url.show === 'skipped'
              ? order_id === null
                ? []
                : [{ label: t('Take in again'), run: () => takeIn.mutate(order_id) }]
              : [
                  {
                    label: t('Invoice these parcels alone'),
                    run: () =>
                      only.mutate({
                        courier: way.agent_code,
                        country: way.country,
                        body: {
                          client_id: crypto.randomUUID(),
                          company_id: row.company_id,
                          shipment_ids: row.shipments.map(one => one.shipment_id),
                        },
                      }),
                  },
                  ...(order_id === null ? [] : [{ label: t('Leave out of bulk invoicing'), run: () => leaveOut.mutate(order_id) }]),
                ]),
          ]
        }}
        onPage={page => setUrl({ page })}
        toolbar={
          <Stack gap="sm">
            <Group gap="md" justify="space-between">
              <SegmentedControl
                aria-label={t('Which parcels')}
                value={url.show}
                onChange={value => setUrl({ show: shows.find(one => one === value) ?? 'all', page: 1 })}
                data={[
                  { value: 'all', label: t('Waiting') },
                  { value: 'missing', label: t('Incomplete') },
                  { value: 'skipped', label: t('Left out') },
                ]}
              />
              <Text size="sm">
                {t('{{ready}} parcels ready, {{incomplete}} incomplete', { ready: way.ready, incomplete: way.incomplete })}
              </Text>
            </Group>
            <FilterBar
              name="waiting-parcels"
              search={{ value: url.query, set: query => setUrl({ query, page: 1 }, { replace: true }), label: t('Order or parcel number') }}
            />
          </Stack>
        }
        filtered={url.query !== '' || url.show !== 'all'}
        clearFilters={() => setUrl({ query: '', show: 'all', page: 1 })}
        empty={<EmptyList title={t('No parcels wait')} />}
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.order_no ?? t('Without order')}</span>
              <span>{row.value === null || row.currency === null ? '–' : money(row.value, row.currency)}</span>
            </RowCardLine>
            <span>{row.missing.length > 0 ? row.missing.map(gap => t(gapLabels[gap])).join(', ') : t('Complete')}</span>
          </RowCard>
        )}
      />
      {asking ? <NewInvoiceDialog way={way} close={() => ask(false)} made={id => setUrl({ id })} /> : null}
    </Page>
  )
}

interface NewProps {
  way: WaitingCount
  close: () => void
  made: (id: number) => void
}

/** Everything that is ready, or what stands on some collect lists. */
function NewInvoiceDialog({ way, close, made }: NewProps) {
  const t = useT()
  const { user, init } = useSignedIn()
  const { CompanyLookup } = init
  const [company_id, setCompany] = useState(String(user.company_id))
  const [lists, setLists] = useState<string[]>([])
  const [client_id] = useState(() => crypto.randomUUID())
  const recent = useCall(collectLists.search, { courier: way.agent_code, limit: 20 }, { enabled: user.is_main_company })
  const create = useSend(invoices.create, {
    refreshes,
    done: answer => {
      close()
      made(answer.id)
    },
  })
  return (
    <Dialog opened onClose={close} title={t('New invoice')} size={480}>
      <Stack gap="md">
        <Text>{t('It starts as a draft: you see its lines and checks before it gets a number.')}</Text>
        {CompanyLookup.length > 1 ? (
          <NativeChoice
            label={t('Company')}
            data={CompanyLookup.map(one => ({ value: String(one.id), label: one.name }))}
            value={company_id}
            choose={setCompany}
          />
        ) : null}
        {recent.data && recent.data.rows.length > 0 ? (
          <MultiSelect
            label={t('Collect lists')}
            placeholder={lists.length === 0 ? t('All parcels that are ready') : ''}
            data={recent.data.rows.map(one => ({ value: String(one.id), label: `${one.code} · ${one.cage}` }))}
            value={lists}
            onChange={setLists}
            maxValues={20}
          />
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <Button
            loading={create.isPending}
            onClick={() =>
              create.mutate({
                courier: way.agent_code,
                country: way.country,
                body: {
                  client_id,
                  company_id: Number(company_id),
                  ...(lists.length > 0 ? { collect_list_ids: lists.map(Number) } : { all: true as const }),
                },
              })
            }
          >
            {t('Make draft')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
