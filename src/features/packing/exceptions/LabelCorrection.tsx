/** What the courier refused, corrected beside the exception. What is saved here has the label made again. */
import { Button, NativeSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { access } from '#contract/access.ts'
import { parcelShopLine } from '#domain/order/parcel-shop.ts'
import { orderLines } from '#features/orders/orders/lines/order-lines.contract.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { OrderLine } from '#features/orders/orders/orders.schemas.ts'
import { shopReplacement } from '#features/shipping/shop-replacement/shop-replacement.contract.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { countryChoices } from '#ui/kit/format.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed, useSignedIn } from '#ui/query/session.ts'
import { AddressCorrection, WeightForm } from '../packing/LabelForms.tsx'
import { correctionOf, type LineField, lineFieldOf } from '../packing/label-correction.rules.ts'
import { useOtherShops } from '../packing/other-shops.client.ts'
import style from './Exceptions.module.css'
import type { ExceptionDetails, RefusedLabel } from './exceptions.schemas.ts'

/** Why what the courier refused is not corrected beside the exception; null where it is. */
export function useWhyNotCorrected(label: RefusedLabel | null): string | null {
  const t = useT()
  const mayEdit = useIsAllowed(access.parcels)
  if (label && label.order_line_id !== null && lineFieldOf(label.field)) return null
  const correction = correctionOf(label?.field ?? null)
  if (correction === 'weight') return null
  if (correction === 'sender') return t('The company’s address is not complete. Enter it under Settings, Company.')
  if (correction === 'retry') return t('The courier does not say which field is wrong')
  return mayEdit ? null : t('You do not have permission for this. Ask an administrator.')
}

interface Props {
  exception: ExceptionDetails
  label: RefusedLabel
  /** Has the label made again, with another weight of the parcel where it was corrected. */
  retry: (weight_g?: number) => void
  busy: boolean
}

const shape = { className: style.fields, size: 'sm' as const }

export function LabelCorrection({ exception, label, retry, busy }: Props) {
  const { order_id } = exception
  const line = label.order_line_id === null ? undefined : lineFieldOf(label.field)
  if (line && label.order_line_id !== null)
    return <LineCorrection order_id={order_id} order_line_id={label.order_line_id} what={line.what} saved={() => retry()} busy={busy} />
  const correction = correctionOf(label.field)
  if (correction === 'weight') return <WeightForm weight_g={label.weight_g ?? 0} save={retry} busy={busy} {...shape} />
  if (correction === 'shop') return <ShopChoice exception={exception} saved={() => retry()} busy={busy} />
  if (correction === 'method') return <MethodChoice exception={exception} saved={() => retry()} busy={busy} />
  return <AddressCorrection order_id={order_id} field={label.field} saved={() => retry()} failed={toastError} busy={busy} {...shape} />
}

interface LineProps {
  order_id: number
  order_line_id: number
  what: LineField
  saved: () => void
  busy: boolean
}

function LineCorrection({ order_id, order_line_id, ...props }: LineProps) {
  const order = useCall(orders.get, { id: order_id })
  return (
    <QueryState of={order} shape="form">
      {({ lines }) => {
        const line = lines.find(one => one.order_item_id === order_line_id)
        return line ? <LineForm line={line} {...props} /> : null
      }}
    </QueryState>
  )
}

function LineForm({ line, what, saved, busy }: { line: OrderLine } & Omit<LineProps, 'order_id' | 'order_line_id'>) {
  const t = useT()
  const { init } = useSignedIn()
  const [tariff, setTariff] = useState(line.hs_code ?? '')
  const [origin, setOrigin] = useState(line.origin)
  const [kilos, setKilos] = useState<number | string>(line.weight_g === null ? '' : line.weight_g / 1_000)
  const countries = useMemo(() => countryChoices(init.CountryLookup), [init])
  const country_id = init.CountryLookup.find(one => one.iso_code_2 === origin)?.id
  const done = { refreshes: [orders.get], quiet: true, done: saved }
  const sendTariff = useSend(orderLines.setTariff, done)
  const sendOrigin = useSend(orderLines.setOrigin, done)
  const sendWeight = useSend(orderLines.setWeight, done)
  const item_id = line.order_item_id
  const answers = { onError: toastError }
  const missing =
    what === 'hs_code'
      ? tariff.trim() === '' && t('Enter a code first')
      : what === 'origin'
        ? country_id === undefined && t('Select a country')
        : !(Number(kilos) > 0) && t('Enter a weight first')
  const save = () => {
    if (missing) return
    if (what === 'hs_code') sendTariff.mutate({ item_id, tariff: tariff.trim() }, answers)
    else if (what === 'net_weight_g') sendWeight.mutate({ kg: Number(kilos).toFixed(3), type: 'item', id: item_id }, answers)
    else if (country_id !== undefined) sendOrigin.mutate({ item_id, country_id }, answers)
  }
  return (
    <form
      className={style.fields}
      onSubmit={event => {
        event.preventDefault()
        save()
      }}
    >
      <b>{line.name}</b>
      {what === 'hs_code' ? (
        <TextInput
          label={t('Tariff code')}
          description={t('6 to 11 digits, as customs asks for it.')}
          value={tariff}
          maxLength={20}
          onChange={event => setTariff(event.currentTarget.value)}
        />
      ) : what === 'origin' ? (
        <Select label={t('Country of origin')} data={countries} value={origin} searchable onChange={setOrigin} />
      ) : (
        <NumberInput
          label={t('Weight per item (kg)')}
          value={kilos}
          min={0.001}
          max={10_000}
          decimalScale={3}
          hideControls
          onChange={setKilos}
        />
      )}
      <Button
        type="submit"
        loading={busy || sendTariff.isPending || sendOrigin.isPending || sendWeight.isPending}
        {...disabledBecause(missing)}
      >
        {t('Save and try again')}
      </Button>
    </form>
  )
}

interface ChoiceProps {
  exception: ExceptionDetails
  saved: () => void
  busy: boolean
}

function ShopChoice({ exception, saved, busy }: ChoiceProps) {
  const t = useT()
  const { found, others, hasNone } = useOtherShops(exception.order_id)
  const [chosen, setChosen] = useState('')
  const choose = useSend(shopReplacement.choose, { quiet: true, done: saved })
  if (hasNone) return <MethodChoice exception={exception} saved={saved} busy={busy} />
  const shop = others.find(one => one.id === chosen) ?? others[0]
  return (
    <QueryState of={found} shape="form">
      {() => (
        <form
          className={style.fields}
          onSubmit={event => {
            event.preventDefault()
            if (!shop) return
            const { id, name, address1, postcode, city, country } = shop
            choose.mutate({ order_id: exception.order_id, body: { id, name, address1, postcode, city, country } }, { onError: toastError })
          }}
        >
          <NativeSelect
            label={t('Select another parcel shop')}
            value={shop?.id ?? ''}
            data={others.map(one => ({ value: one.id, label: parcelShopLine(one) }))}
            onChange={event => setChosen(event.currentTarget.value)}
          />
          <Button type="submit" loading={busy || choose.isPending} {...disabledBecause(!shop && t('Select another parcel shop'))}>
            {t('Save and try again')}
          </Button>
        </form>
      )}
    </QueryState>
  )
}

function MethodChoice({ exception, saved, busy }: ChoiceProps) {
  const t = useT()
  const options = useCall(orders.shippingOptions, { company: exception.company_id })
  const [chosen, setChosen] = useState('')
  const set = useSend(orders.setShipping, { quiet: true, done: saved })
  return (
    <QueryState of={options} shape="form">
      {list => {
        const own = list.filter(option => option.company_id === exception.company_id)
        const method = chosen || own[0]?.method
        return (
          <form
            className={style.fields}
            onSubmit={event => {
              event.preventDefault()
              if (method !== undefined) set.mutate({ method, id: exception.order_id }, { onError: toastError })
            }}
          >
            <NativeSelect
              label={t('Shipping method')}
              value={method ?? ''}
              data={own.map(option => ({ value: option.method, label: option.name }))}
              onChange={event => setChosen(event.currentTarget.value)}
            />
            <Button type="submit" loading={busy || set.isPending}>
              {t('Save and try again')}
            </Button>
          </form>
        )
      }}
    </QueryState>
  )
}
