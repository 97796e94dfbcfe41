/** What couriers charge: price steps with filters, form, file and trial; zones and surcharges beside them. */
import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { IconCalculator, IconFileUpload, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { company as companies } from '#features/company/companies/companies.contract.ts'
import { shippingMethods } from '#features/shipping/shipping-methods/shipping-methods.contract.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { ExportButton } from '#ui/kit/ExportButton.tsx'
import { FilterBar } from '#ui/kit/FilterBar.tsx'
import { day, money, today, weight } from '#ui/kit/format.ts'
import { usePagedList } from '#ui/kit/list-state.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import { useUrlState } from '#ui/kit/url-state.ts'
import { saveFile, send, useCall, useCommand } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { PriceForm } from './PriceForm.tsx'
import { PriceImport } from './PriceImport.tsx'
import { PriceTrial } from './PriceTrial.tsx'
import { PriceZones } from './PriceZones.tsx'
import { prices } from './prices.contract.ts'
import type { CourierPrice } from './prices.schemas.ts'
import { Surcharges } from './Surcharges.tsx'

const parts = ['', 'zones', 'surcharges'] as const
const View = {
  tab: urlText(),
  part: urlChoice(parts, ''),
  company: urlText(),
  /** `agent_code/method`. */
  method: urlText(),
  zone: urlText(),
  on: urlText(),
  page: urlNumber(1),
}
const keyOf = (row: CourierPrice) => row.id
const refreshes = [prices.list, prices.zones]

export function PriceTables({ tabs }: { tabs: ReactNode }) {
  const t = useT()
  const mayEdit = useIsAllowed(access.settings)
  const [url, setUrl] = useUrlState(View)
  const [open, setOpen] = useState<CourierPrice | 'new' | 'import' | 'try' | null>(null)
  const known = useCall(companies.companies, {})
  const ofCompany = url.company === '' ? {} : { company: url.company }
  const methods = useCall(shippingMethods.list, {})
  const zones = useCall(prices.zones, ofCompany, { live: ['price'] })
  const [agent_code = '', shipping_method = ''] = url.method.split('/')
  const question = {
    ...ofCompany,
    on: url.on || today(),
    ...(url.method !== '' && { agent_code, shipping_method }),
    ...(url.zone !== '' && { zone: Number(url.zone) }),
  }
  const list = usePagedList(prices.list, { ...question, page: url.page, limit: 100 }, { live: ['price'], keyOf })
  const any = useCall(prices.list, { ...ofCompany, page: 1, limit: 1 }, { live: ['price'] })
  const save = useCommand(() => send(prices.export, question), { done: saveFile })
  const putBack = useCommand(
    ({ id: _id, zone: _zone, version: _version, ...body }: CourierPrice) => send(prices.create, { ...ofCompany, body }),
    { refreshes, said: t('The price is back'), done: list.showPendingChanges },
  )
  const remove = useCommand((row: CourierPrice) => send(prices.remove, { ...ofCompany, id: row.id }), {
    refreshes,
    done: (_answer, row) => {
      setOpen(null)
      list.showPendingChanges()
      toastWithUndo(t('Price removed'), () => putBack.mutate(row))
    },
  })
  const nameOf = useMemo(() => {
    const names = new Map(methods.data?.map(one => [`${one.agent_code}/${one.shipping_method}`, `${t(one.courier)}: ${t(one.name)}`]))
    return (row: Pick<CourierPrice, 'agent_code' | 'shipping_method'>) => {
      const key = `${row.agent_code}/${row.shipping_method}`
      return names.get(key) ?? key
    }
  }, [methods.data, t])
  const columns = useMemo<Column<CourierPrice>[]>(
    () => [
      { key: 'method', title: t('Method'), flex: 2, cell: nameOf },
      { key: 'zone', title: t('Zone'), flex: 1, cell: row => row.zone ?? t('Everywhere') },
      { key: 'weight', title: t('Up to'), align: 'end', cell: row => weight(row.max_g) },
      { key: 'limits', title: t('Limits'), flex: 1, cell: row => <Limits of={row} /> },
      { key: 'amount', title: t('Price'), align: 'end', cell: row => money(row.amount, row.currency) },
      {
        key: 'per_kg',
        title: t('Per kg'),
        align: 'end',
        cell: row => (row.per_kg_amount === null ? '–' : `+ ${money(row.per_kg_amount, row.currency)}`),
      },
      { key: 'from', title: t('From'), cell: row => day(row.valid_from) },
      { key: 'to', title: t('Until'), cell: row => (row.valid_to === null ? '–' : day(row.valid_to)) },
    ],
    [t, nameOf],
  )
  const done = () => {
    setOpen(null)
    list.showPendingChanges()
  }
  const none = any.data?.total === 0
  const choices = (
    <Group mb="sm" gap="sm">
      <SegmentedControl
        aria-label={t('Part of the price table')}
        data={[
          { value: '', label: t('Price steps') },
          { value: 'zones', label: t('Zones') },
          { value: 'surcharges', label: t('Surcharges') },
        ]}
        value={url.part}
        onChange={part => setUrl({ part: parts.find(one => one === part) ?? '' })}
      />
      {(known.data ?? []).length > 1 ? (
        <NativeChoice
          aria-label={t('Company')}
          data={(known.data ?? []).map(row => ({ value: row.is_main ? '' : row.code, label: row.name }))}
          value={url.company}
          choose={code => setUrl({ company: code, zone: '' })}
        />
      ) : null}
    </Group>
  )
  const top = (
    <>
      {tabs}
      {choices}
    </>
  )
  if (url.part === 'zones') return <PriceZones top={top} ofCompany={ofCompany} mayEdit={mayEdit} />
  if (url.part === 'surcharges') return <Surcharges top={top} ofCompany={ofCompany} mayEdit={mayEdit} />
  return (
    <Page
      title={t('Shipping methods')}
      fill
      actions={
        <>
          <Button variant="default" visibleFrom="sm" leftSection={<IconCalculator size={16} />} onClick={() => setOpen('try')}>
            {t('Try a price')}
          </Button>
          <ExportButton save={save} />
          {mayEdit ? (
            <>
              <Button variant="default" visibleFrom="sm" leftSection={<IconFileUpload size={16} />} onClick={() => setOpen('import')}>
                {t('Import prices')}
              </Button>
              <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
                {t('Add price')}
              </Button>
            </>
          ) : null}
        </>
      }
    >
      {top}
      <DataTable
        name="courier-prices"
        label={t('Price steps')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        {...(mayEdit && { open: setOpen })}
        onPage={page => setUrl({ page })}
        rowActions={row =>
          mayEdit
            ? [
                { label: t('Edit'), run: () => setOpen(row) },
                { label: t('Remove price'), danger: true, run: () => remove.mutate(row) },
              ]
            : []
        }
        toolbar={
          <FilterBar
            name="courier-prices"
            filters={[
              {
                key: 'method',
                label: t('Method'),
                kind: 'one',
                options: (methods.data ?? []).map(one => ({
                  value: `${one.agent_code}/${one.shipping_method}`,
                  label: `${t(one.courier)}: ${t(one.name)}`,
                })),
                value: url.method ? [url.method] : [],
                set: ([value = '']) => setUrl({ method: value, page: 1 }),
              },
              {
                key: 'zone',
                label: t('Zone'),
                kind: 'one',
                options: [
                  { value: '0', label: t('Everywhere') },
                  ...(zones.data ?? []).map(zone => ({ value: String(zone.id), label: zone.name })),
                ],
                value: url.zone ? [url.zone] : [],
                set: ([value = '']) => setUrl({ zone: value, page: 1 }),
              },
              {
                key: 'on',
                label: t('Valid on'),
                kind: 'day',
                value: url.on ? [url.on] : [],
                set: ([value = '']) => setUrl({ on: value, page: 1 }),
              },
            ]}
          />
        }
        filtered={url.method !== '' || url.zone !== '' || url.on !== '' || !none}
        clearFilters={() => setUrl({ method: '', zone: '', on: '' })}
        empty={
          <EmptyList
            title={t('No prices yet')}
            {...(mayEdit && { action: <Button onClick={() => setOpen('import')}>{t('Import prices')}</Button> })}
          >
            {t('With them the cheapest box counts the courier too, and each shipment shows its cost.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{nameOf(row)}</span>
              <span>{money(row.amount, row.currency)}</span>
            </RowCardLine>
            <RowCardLine>
              <span>{row.zone ?? t('Everywhere')}</span>
              <span>{t('Up to {{weight}}', { weight: weight(row.max_g) })}</span>
            </RowCardLine>
          </RowCard>
        )}
      />
      <Drawer
        opened={open !== null && open !== 'import' && open !== 'try'}
        onClose={() => setOpen(null)}
        size={640}
        title={open === 'new' ? t('New price') : t('Price')}
      >
        {open === 'new' || (open !== null && typeof open === 'object') ? (
          <PriceForm
            key={open === 'new' ? 0 : open.id}
            price={open === 'new' ? null : open}
            ofCompany={ofCompany}
            methods={methods.data ?? []}
            zones={zones.data ?? []}
            close={() => setOpen(null)}
            saved={done}
            remove={row => remove.mutate(row)}
          />
        ) : null}
      </Drawer>
      <Drawer opened={open === 'import'} onClose={() => setOpen(null)} size="min(100%, 80rem)" title={t('Import prices')}>
        {open === 'import' ? <PriceImport ofCompany={ofCompany} done={done} close={() => setOpen(null)} /> : null}
      </Drawer>
      <Drawer opened={open === 'try'} onClose={() => setOpen(null)} size={480} title={t('Try a price')}>
        {open === 'try' ? <PriceTrial ofCompany={ofCompany} methods={methods.data ?? []} method={url.method} /> : null}
      </Drawer>
    </Page>
  )
}

function Limits({ of: { max_length_mm, max_side_sum_mm, volume_divisor } }: { of: CourierPrice }) {
  const t = useT()
  const limits = [
    max_length_mm === null ? null : t('length {{n}} cm', { n: max_length_mm / 10 }),
    max_side_sum_mm === null ? null : t('sides {{n}} cm', { n: max_side_sum_mm / 10 }),
    volume_divisor === null ? null : t('{{n}} cm³ = 1 kg', { n: volume_divisor }),
  ].filter(limit => limit !== null)
  return limits.length > 0 ? limits.join(', ') : <Text c="dimmed">–</Text>
}
