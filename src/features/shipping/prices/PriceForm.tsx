/** The form of one price step. */
import { Button, Group, NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { useRef } from 'react'
import * as z from 'zod'
import { decimalsOf, isCurrency } from '#domain/money.ts'
import type { ShippingMethod } from '#features/shipping/shipping-methods/shipping-methods.schemas.ts'
import { Form, useEdit } from '#ui/kit/Form.tsx'
import { today } from '#ui/kit/format.ts'
import { NativeChoice } from '#ui/kit/NativeChoice.tsx'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import { send } from '#ui/query/calls.ts'
import { useSignedIn } from '#ui/query/session.ts'
import { prices } from './prices.contract.ts'
import { CourierPrice, PriceFields, type PriceZoneRow } from './prices.schemas.ts'

type Amount = number | ''
interface Values extends Record<string, unknown> {
  shipping_method: string
  zone_id: string
  max_g: Amount
  max_length_mm: Amount
  max_side_sum_mm: Amount
  volume_divisor: Amount
  /** In major units, as people write money. */
  amount: Amount
  per_kg_amount: Amount
  currency: string
  valid_from: string
  valid_to: string
}
const minorPerMajor = (currency: string): number => 10 ** (isCurrency(currency) ? decimalsOf(currency) : 2)
const major = (minor: number | null | undefined, currency: string): Amount =>
  minor === null || minor === undefined ? '' : minor / minorPerMajor(currency)

const valuesOf = (price: CourierPrice | null, currency: string): Values => ({
  shipping_method: price ? `${price.agent_code}/${price.shipping_method}` : '',
  zone_id: String(price?.zone_id ?? 0),
  max_g: price?.max_g ?? '',
  max_length_mm: price?.max_length_mm ?? '',
  max_side_sum_mm: price?.max_side_sum_mm ?? '',
  volume_divisor: price?.volume_divisor ?? '',
  amount: major(price?.amount, price?.currency ?? currency),
  per_kg_amount: major(price?.per_kg_amount, price?.currency ?? currency),
  currency: price?.currency ?? currency,
  valid_from: price?.valid_from ?? today(),
  valid_to: price?.valid_to ?? '',
})

function bodyOf({ shipping_method, zone_id, currency, amount, per_kg_amount, valid_to, ...values }: Values) {
  const [agent_code = '', method = ''] = shipping_method.split('/')
  const minor = (value: Amount) => (value === '' ? null : Math.round(value * minorPerMajor(currency.trim().toUpperCase())))
  const orNull = (value: Amount) => (value === '' ? null : value)
  return {
    agent_code,
    shipping_method: method,
    zone_id: zone_id === '0' ? null : Number(zone_id),
    max_g: orNull(values.max_g),
    max_length_mm: orNull(values.max_length_mm),
    max_side_sum_mm: orNull(values.max_side_sum_mm),
    volume_divisor: orNull(values.volume_divisor),
    amount: minor(amount),
    per_kg_amount: minor(per_kg_amount),
    currency,
    valid_from: values.valid_from,
    valid_to: valid_to || null,
  }
}
const Schema = z
  .custom<Values>()
  .transform((values): unknown => bodyOf(values))
  .pipe(PriceFields)
const parsed = (values: Values) => PriceFields.parse(bodyOf(values))

interface FormProps {
  price: CourierPrice | null
  ofCompany: { company?: string }
  methods: readonly ShippingMethod[]
  zones: readonly PriceZoneRow[]
  close: () => void
  saved: () => void
  remove: (price: CourierPrice) => void
}

export function PriceForm({ price, ofCompany, methods, zones, close, saved, remove }: FormProps) {
  const t = useT()
  const { init } = useSignedIn()
  const version = useRef(price?.version ?? 0)
  const edit = useEdit({
    schema: Schema,
    initial: valuesOf(price, init.settings.currency),
    save: values =>
      price
        ? send(prices.update, { ...ofCompany, id: price.id, body: { ...parsed(values), version: version.current } })
        : send(prices.create, { ...ofCompany, body: parsed(values) }),
    refreshes: [prices.list, prices.zones],
    said: t('Price saved'),
    ...(price && {
      undo: (answer: CourierPrice, before: Values) =>
        send(prices.update, { ...ofCompany, id: price.id, body: { ...parsed(before), version: answer.version } }),
    }),
    done: saved,
    conflict: {
      schema: CourierPrice,
      values: fresh => {
        version.current = fresh.version
        return valuesOf(fresh, fresh.currency)
      },
    },
  })
  const whole = { min: 0, allowNegative: false, hideControls: true } as const
  const { values } = edit
  const currency = values.currency.trim().toUpperCase()
  const sum = { min: 0, decimalScale: isCurrency(currency) ? decimalsOf(currency) : 2, hideControls: true } as const
  return (
    <Form edit={edit} cancel={close}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeChoice
          label={t('Shipping method')}
          data={[
            ...(price ? [] : [{ value: '', label: t('Select') }]),
            ...methods.map(one => ({ value: `${one.agent_code}/${one.shipping_method}`, label: `${t(one.courier)}: ${t(one.name)}` })),
          ]}
          value={values.shipping_method}
          error={edit.form.errors.shipping_method ?? edit.form.errors.agent_code}
          choose={value => edit.form.setFieldValue('shipping_method', value)}
        />
        <NativeChoice
          label={t('Zone')}
          data={[{ value: '0', label: t('Everywhere') }, ...zones.map(zone => ({ value: String(zone.id), label: zone.name }))]}
          value={values.zone_id}
          error={edit.form.errors.zone_id}
          choose={value => edit.form.setFieldValue('zone_id', value)}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <WholeNumberInput label={t('Up to')} suffix=" g" {...whole} max={2_000_000} {...edit.of('max_g')} />
        <NumberInput label={t('Price without VAT')} {...sum} {...edit.of('amount')} />
        <TextInput label={t('Currency')} spellCheck={false} {...edit.of('currency')} />
      </SimpleGrid>
      <NumberInput
        label={t('For each kilogram')}
        description={t('Added for each kilogram begun above the step before. Empty: none.')}
        {...sum}
        {...edit.of('per_kg_amount')}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <WholeNumberInput label={t('Greatest length')} suffix=" mm" {...whole} max={20_000} {...edit.of('max_length_mm')} />
        <WholeNumberInput label={t('Sum of the sides')} suffix=" mm" {...whole} max={60_000} {...edit.of('max_side_sum_mm')} />
        <WholeNumberInput label={t('cm³ that count as 1 kg')} {...whole} max={20_000} {...edit.of('volume_divisor')} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          type="date"
          label={t('From')}
          description={t('An earlier price for the same ends the day before.')}
          {...edit.of('valid_from')}
        />
        <TextInput type="date" label={t('Until')} description={t('The last day. Empty: without an end.')} {...edit.of('valid_to')} />
      </SimpleGrid>
      {price ? (
        <Group>
          <Button variant="subtle" color="brick" onClick={() => remove(price)}>
            {t('Remove price')}
          </Button>
        </Group>
      ) : null}
    </Form>
  )
}
