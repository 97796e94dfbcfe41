/** Surcharges of couriers: fuel, islands, large parcels. */
import { Button, Group, NumberInput, SegmentedControl, SimpleGrid, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import * as z from 'zod'
import { decimalsOf, isCurrency } from '#domain/money.ts'
import { shippingMethods } from '#features/shipping/shipping-methods/shipping-methods.contract.ts'
import type { ShippingMethod } from '#features/shipping/shipping-methods/shipping-methods.schemas.ts'
import { type Column, DataTable } from '#ui/kit/DataTable.tsx'
import { Drawer } from '#ui/kit/Drawer.tsx'
import { EmptyList } from '#ui/kit/EmptyState.tsx'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { day, money, number, today, weight } from '#ui/kit/format.ts'
import { staticList } from '#ui/kit/list-state.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { RowCard, RowCardLine } from '#ui/kit/RowCard.tsx'
import { toastWithUndo } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send, useCall, useCommand } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import type { SurchargeKind } from './prices.codes.ts'
import { prices } from './prices.contract.ts'
import { type PriceZoneRow, SurchargeFields, SurchargeRow } from './prices.schemas.ts'

const keyOf = (row: SurchargeRow) => row.id
const refreshes = [prices.surcharges]
const fieldsOf = ({ id: _id, zone: _zone, version: _version, ...body }: SurchargeRow) => body

/** `8.5 %` or `10.00 kr`. */
const charge = ({ kind, amount, currency, percent_milli }: SurchargeRow): string =>
  kind === 'percent' ? `${number((percent_milli ?? 0) / 1_000, 2)} %` : money(amount ?? 0, currency ?? 'DKK')

interface SurchargesProps {
  top: ReactNode
  ofCompany: { company?: string }
  mayEdit: boolean
}

export function Surcharges({ top, ofCompany, mayEdit }: SurchargesProps) {
  const t = useT()
  const [open, setOpen] = useState<SurchargeRow | 'new' | null>(null)
  const methods = useCall(shippingMethods.list, {})
  const zones = useCall(prices.zones, ofCompany, { live: ['price'] })
  const surcharges = useCall(prices.surcharges, ofCompany, { live: ['price'] })
  const list = {
    ...staticList(surcharges.data ?? []),
    isLoading: surcharges.isPending,
    error: surcharges.error,
    refetch: () => void surcharges.refetch(),
  }
  const putBack = useCommand((row: SurchargeRow) => send(prices.createSurcharge, { ...ofCompany, body: fieldsOf(row) }), {
    refreshes,
    said: t('The surcharge is back'),
  })
  const remove = useCommand((row: SurchargeRow) => send(prices.removeSurcharge, { ...ofCompany, id: row.id }), {
    refreshes,
    done: (_answer, row) => {
      setOpen(null)
      toastWithUndo(t('Surcharge {{name}} removed', { name: row.name }), () => putBack.mutate(row))
    },
  })
  const columns = useMemo<Column<SurchargeRow>[]>(() => {
    const known = methods.data ?? []
    const of = ({ agent_code, shipping_method }: SurchargeRow) => {
      const courier = known.find(one => one.agent_code === agent_code)?.courier ?? agent_code
      const method = known.find(one => one.agent_code === agent_code && one.shipping_method === shipping_method)?.name
      return `${t(courier)}: ${shipping_method === null ? t('all methods') : t(method ?? shipping_method)}`
    }
    return [
      { key: 'name', title: t('Name'), flex: 1, cell: row => row.name },
      { key: 'method', title: t('Method'), flex: 2, cell: of },
      { key: 'charge', title: t('Surcharge'), align: 'end', cell: charge },
      { key: 'zone', title: t('Zone'), cell: row => row.zone ?? t('Everywhere') },
      {
        key: 'over',
        title: t('Above'),
        cell: row =>
          [
            row.over_g === null ? null : weight(row.over_g),
            row.over_length_mm === null ? null : t('{{n}} cm', { n: row.over_length_mm / 10 }),
          ]
            .filter(part => part !== null)
            .join(', ') || '–',
      },
      { key: 'from', title: t('From'), cell: row => day(row.valid_from) },
      { key: 'to', title: t('Until'), cell: row => (row.valid_to === null ? '–' : day(row.valid_to)) },
    ]
  }, [t, methods.data])
  const add = mayEdit ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      {t('Add surcharge')}
    </Button>
  ) : null
  return (
    <Page title={t('Shipping methods')} fill actions={list.total === 0 ? null : add}>
      {top}
      <DataTable
        name="price-surcharges"
        label={t('Surcharges')}
        columns={columns}
        list={list}
        keyOf={keyOf}
        {...(mayEdit && { open: setOpen })}
        rowActions={row =>
          mayEdit
            ? [
                { label: t('Edit'), run: () => setOpen(row) },
                { label: t('Remove surcharge'), danger: true, run: () => remove.mutate(row) },
              ]
            : []
        }
        empty={
          <EmptyList title={t('No surcharges yet')} action={add}>
            {t('For example fuel in percent, or an amount for islands.')}
          </EmptyList>
        }
        card={row => (
          <RowCard>
            <RowCardLine>
              <span>{row.name}</span>
              <span>{charge(row)}</span>
            </RowCardLine>
            <span>{row.zone ?? t('Everywhere')}</span>
          </RowCard>
        )}
      />
      <Drawer opened={open !== null} onClose={() => setOpen(null)} size={560} title={open === 'new' ? t('New surcharge') : t('Surcharge')}>
        {open ? (
          <SurchargeForm
            key={open === 'new' ? 0 : open.id}
            surcharge={open === 'new' ? null : open}
            ofCompany={ofCompany}
            methods={methods.data ?? []}
            zones={zones.data ?? []}
            close={() => setOpen(null)}
            remove={row => remove.mutate(row)}
          />
        ) : null}
      </Drawer>
    </Page>
  )
}

type Amount = number | ''
interface Values extends Record<string, unknown> {
  name: string
  agent_code: string
  shipping_method: string
  zone_id: string
  kind: SurchargeKind
  amount: Amount
  currency: string
  percent: Amount
  over_g: Amount
  over_length_mm: Amount
  valid_from: string
  valid_to: string
}
const minorPerMajor = (currency: string): number => 10 ** (isCurrency(currency) ? decimalsOf(currency) : 2)
const valuesOf = (row: SurchargeRow | null, currency: string, agent_code: string): Values => ({
  name: row?.name ?? '',
  agent_code: row?.agent_code ?? agent_code,
  shipping_method: row?.shipping_method ?? '',
  zone_id: String(row?.zone_id ?? 0),
  kind: row?.kind ?? 'percent',
  amount: row && row.amount !== null ? row.amount / minorPerMajor(row.currency ?? currency) : '',
  currency: row?.currency ?? currency,
  percent: row && row.percent_milli !== null ? row.percent_milli / 1_000 : '',
  over_g: row?.over_g ?? '',
  over_length_mm: row?.over_length_mm ?? '',
  valid_from: row?.valid_from ?? today(),
  valid_to: row?.valid_to ?? '',
})
function bodyOf({ zone_id, percent, ...values }: Values) {
  const orNull = (value: Amount) => (value === '' ? null : value)
  const isAmount = values.kind === 'amount'
  return {
    ...values,
    shipping_method: values.shipping_method || null,
    zone_id: zone_id === '0' ? null : Number(zone_id),
    amount: isAmount && values.amount !== '' ? Math.round(values.amount * minorPerMajor(values.currency.trim().toUpperCase())) : null,
    currency: isAmount ? values.currency : null,
    percent_milli: isAmount || percent === '' ? null : Math.round(percent * 1_000),
    over_g: orNull(values.over_g),
    over_length_mm: orNull(values.over_length_mm),
    valid_to: values.valid_to || null,
  }
}
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values))
  .pipe(SurchargeFields)
const parsed = (values: Values) => SurchargeFields.parse(bodyOf(values))

interface FormProps {
  surcharge: SurchargeRow | null
  ofCompany: { company?: string }
  methods: readonly ShippingMethod[]
  zones: readonly PriceZoneRow[]
  close: () => void
  remove: (row: SurchargeRow) => void
}

function SurchargeForm({ surcharge, ofCompany, methods, zones, close, remove }: FormProps) {
  const t = useT()
  const { init } = useSignedIn()
  const version = useRef(surcharge?.version ?? 0)
  const couriers = [...new Map(methods.map(one => [one.agent_code, t(one.courier)]))].map(([value, label]) => ({ value, label }))
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(surcharge, init.settings.currency, couriers[0]?.value ?? ''),
    save: values =>
      surcharge
        ? send(prices.updateSurcharge, { ...ofCompany, id: surcharge.id, body: { ...parsed(values), version: version.current } })
        : send(prices.createSurcharge, { ...ofCompany, body: parsed(values) }),
    refreshes,
    said: t('Surcharge saved'),
    ...(surcharge && {
      undo: (answer: SurchargeRow, before: Values) =>
        send(prices.updateSurcharge, { ...ofCompany, id: surcharge.id, body: { ...parsed(before), version: answer.version } }),
    }),
    done: close,
    conflict: {
      schema: SurchargeRow,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh, init.settings.currency, fresh.agent_code)
      },
    },
  })
  const { values } = edit
  const whole = { min: 0, allowNegative: false, hideControls: true } as const
  return (
    <Form edit={edit} cancel={close}>
      <TextInput label={t('Name')} description={t('Such as fuel or island.')} data-autofocus {...edit.of('name')} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NativeChoice
          label={t('Courier')}
          data={couriers}
          value={values.agent_code}
          error={edit.form.errors.agent_code}
          choose={value => {
            edit.form.setFieldValue('agent_code', value)
            edit.form.setFieldValue('shipping_method', '')
          }}
        />
        <NativeChoice
          label={t('Shipping method')}
          data={[
            { value: '', label: t('All') },
            ...methods.filter(one => one.agent_code === values.agent_code).map(one => ({ value: one.shipping_method, label: t(one.name) })),
          ]}
          value={values.shipping_method}
          choose={value => edit.form.setFieldValue('shipping_method', value)}
        />
        <NativeChoice
          label={t('Zone')}
          data={[{ value: '0', label: t('Everywhere') }, ...zones.map(zone => ({ value: String(zone.id), label: zone.name }))]}
          value={values.zone_id}
          choose={value => edit.form.setFieldValue('zone_id', value)}
        />
      </SimpleGrid>
      <SegmentedControl
        aria-label={t('Kind of surcharge')}
        data={[
          { value: 'percent', label: t('Percent') },
          { value: 'amount', label: t('Amount') },
        ]}
        value={values.kind}
        onChange={kind => edit.form.setFieldValue('kind', kind === 'amount' ? 'amount' : 'percent')}
      />
      {values.kind === 'percent' ? (
        <NumberInput
          label={t('Percent of the price')}
          suffix=" %"
          min={0}
          max={1_000}
          decimalScale={3}
          hideControls
          {...edit.of('percent')}
          error={edit.form.errors.percent_milli}
        />
      ) : (
        <SimpleGrid cols={2}>
          <NumberInput label={t('Amount without VAT')} min={0} decimalScale={2} hideControls {...edit.of('amount')} />
          <TextInput label={t('Currency')} spellCheck={false} {...edit.of('currency')} />
        </SimpleGrid>
      )}
      <SimpleGrid cols={2}>
        <WholeNumberInput
          label={t('Above this weight')}
          description={t('Empty: for all parcels.')}
          suffix=" g"
          {...whole}
          max={2_000_000}
          {...edit.of('over_g')}
        />
        <WholeNumberInput
          label={t('Above this length')}
          description={t('Either of them is enough.')}
          suffix=" mm"
          {...whole}
          max={20_000}
          {...edit.of('over_length_mm')}
        />
      </SimpleGrid>
      <SimpleGrid cols={2}>
        <TextInput type="date" label={t('From')} {...edit.of('valid_from')} />
        <TextInput type="date" label={t('Until')} description={t('The last day. Empty: without an end.')} {...edit.of('valid_to')} />
      </SimpleGrid>
      {surcharge ? (
        <Group>
          <Button variant="subtle" color="brick" onClick={() => remove(surcharge)}>
            {t('Remove surcharge')}
          </Button>
        </Group>
      ) : null}
    </Form>
  )
}
