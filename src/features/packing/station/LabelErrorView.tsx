/** A label that the courier refused: its words, and the field to correct in place. Loaded when it happens. */
import { Button, NumberInput, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { access } from '#contract/access.ts'
import { parcelShopLine } from '#domain/order/parcel-shop.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import type { AddressChange, Order } from '#features/orders/orders/orders.schemas.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { parcelShops } from '#features/shipping/parcel-shops/parcel-shops.contract.ts'
import { shopReplacement } from '#features/shipping/shop-replacement/shop-replacement.contract.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import big from './BigMessage.module.css'
import { Eyebrow } from './ClosingView.tsx'
import style from './LabelViews.module.css'
import { type AddressField, addressFieldOf, correctionOf } from './station.rules.ts'
import parts from './station-parts.module.css'
import { ByKey, Choices, focusFirst, useSay, useStation } from './station-parts.tsx'

export default function LabelErrorView({ order }: { order: PackingOrder }) {
  const t = useT()
  const say = useSay()
  const { dispatch, state } = useStation()
  const failed = order.parcels.findLast(parcel => parcel.state === 'error')
  const words = failed?.error ?? order.session?.parked_reason ?? ''
  const correction = correctionOf(failed?.error_field ?? null)
  return (
    <div className={style.labelError}>
      <section className={`${big.message} ${big.tone_soon}`} role="alert">
        <span className={big.icon}>
          <IconAlertTriangle size={64} />
        </span>
        <p className={parts.eyebrow}>
          <Eyebrow order={order} />
        </p>
        <h2>{t('There is no label')}</h2>
        <p className={style.courierWords}>{say({ text: words })}</p>
      </section>
      <section className={style.correction}>
        <Correction order={order} kind={correction} field={failed?.error_field ?? null} weight_g={failed?.weight_g ?? 0} />
        <div className={parts.buttons}>
          <Button
            size="lg"
            variant="default"
            loading={state.busy}
            onClick={() => dispatch({ type: 'command', command: 'EXCEPTION' })}
            rightSection={<ByKey keys="F9" />}
          >
            {t('Move to exceptions')}
          </Button>
        </div>
      </section>
    </div>
  )
}

function Correction({
  order,
  kind,
  field,
  weight_g,
}: {
  order: PackingOrder
  kind: ReturnType<typeof correctionOf>
  field: string | null
  weight_g: number
}) {
  const t = useT()
  const { dispatch } = useStation()
  const mayEdit = useIsAllowed(access.parcels)
  if (kind === 'weight') return <WeightForm weight_g={weight_g} />
  if (kind === 'sender')
    return (
      <>
        <p>{t('The company’s address is not complete. Enter it under Settings, Company.')}</p>
        <Retry />
      </>
    )
  if ((kind === 'address' || kind === 'method' || kind === 'shop') && !mayEdit)
    return (
      <>
        <p>{t('Customer service has to fix this. Move the order to exceptions and scan the next one.')}</p>
        <Retry quiet />
      </>
    )
  if (kind === 'address') return <AddressCorrection order={order} field={field} />
  if (kind === 'shop') return <ShopChoice order={order} />
  if (kind === 'method') return <MethodChoice order={order} />
  return (
    <>
      <p>{t('Nothing was booked. Trying again is safe.')}</p>
      <Button size="lg" onClick={() => dispatch({ type: 'close' })} rightSection={<ByKey keys="Enter" />}>
        {t('Try again')}
      </Button>
    </>
  )
}

function Retry({ quiet = false }: { quiet?: boolean }) {
  const t = useT()
  const { dispatch } = useStation()
  return (
    <div>
      <Button size={quiet ? 'md' : 'lg'} variant={quiet ? 'default' : 'filled'} onClick={() => dispatch({ type: 'close' })}>
        {t('Try again')}
      </Button>
    </div>
  )
}

function WeightForm({ weight_g }: { weight_g: number }) {
  const t = useT()
  const { dispatch } = useStation()
  const [kilos, setKilos] = useState<number | string>(weight_g > 0 ? weight_g / 1_000 : '')
  return (
    <form
      className={parts.fields}
      onSubmit={event => {
        event.preventDefault()
        if (typeof kilos === 'number' && kilos > 0) dispatch({ type: 'close', weight_g: Math.round(kilos * 1_000) })
      }}
    >
      <NumberInput
        size="lg"
        label={t('Weight in kg')}
        value={kilos}
        onChange={setKilos}
        min={0.001}
        max={2_000}
        decimalScale={3}
        hideControls
        ref={focusFirst}
        onFocus={event => event.currentTarget.select()}
      />
      <Button size="lg" type="submit">
        {t('Save and try again')}
      </Button>
    </form>
  )
}

function AddressCorrection({ order, field }: { order: PackingOrder; field: string | null }) {
  const whole = useCall(orders.get, { id: order.order_id })
  return (
    <QueryState of={whole} shape="form">
      {loaded => <AddressForm key={loaded.version} order={loaded} field={addressFieldOf(field) ?? 'postcode'} />}
    </QueryState>
  )
}

function AddressForm({ order, field }: { order: Order; field: AddressField }) {
  const t = useT()
  const { dispatch, reportFailure } = useStation()
  const words: Record<AddressField, string> = {
    name: t('Name'),
    company: t('Company'),
    attention: t('Contact person'),
    address1: t('Street and number'),
    address2: t('Address, second line'),
    postcode: t('Postcode'),
    city: t('City'),
    phone: t('Phone'),
    email: t('E-mail'),
  }
  const shown = [field, ...(['name', 'address1', 'postcode', 'city', 'phone'] as const).filter(one => one !== field)]
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(shown.map(one => [one, order.ship_to[one] ?? (one === 'phone' ? order.ship_to.phone_raw : '') ?? ''])),
  )
  const save = useSend(orders.setAddress, { refreshes: [orders.get], quiet: true, done: () => dispatch({ type: 'close' }) })
  return (
    <form
      className={parts.fields}
      onSubmit={event => {
        event.preventDefault()
        const changed = shown.filter(one => values[one] !== (order.ship_to[one] ?? ''))
        if (changed.length === 0) return dispatch({ type: 'close' })
        const body: AddressChange = { version: order.version, ...Object.fromEntries(changed.map(one => [one, values[one]])) }
        save.mutate({ order_id: order.id, body }, { onError: reportFailure })
      }}
    >
      {shown.map(one => (
        <TextInput
          key={one}
          size="md"
          label={words[one]}
          value={values[one] ?? ''}
          onChange={event => {
            const text = event.currentTarget.value
            setValues(before => ({ ...before, [one]: text }))
          }}
          error={
            save.error?.fields[one] ? t(save.error.fields[one]) : one === field && !save.isError ? t('Rejected by the courier') : undefined
          }
          ref={one === field ? focusFirst : undefined}
        />
      ))}
      <Button size="lg" type="submit" loading={save.isPending}>
        {t('Save and try again')}
      </Button>
    </form>
  )
}

/** The nearest other shops, of which one goes with a key; without any, another way of sending. */
function ShopChoice({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, reportFailure } = useStation()
  const known = useCall(shopReplacement.state, { order_id: order.order_id })
  const { agent_code = null, shipping_method = null, near, shop } = known.data ?? {}
  const found = useCall(
    parcelShops.find,
    {
      agent_code: agent_code ?? '',
      country: (near?.country ?? '').toLowerCase(),
      postcode: near?.postcode ?? '',
      ...(near?.address1 && { address: near.address1.slice(0, 120) }),
      ...(agent_code === 'shipmondo' && shipping_method !== null && { method: shipping_method }),
    },
    { enabled: agent_code !== null && Boolean(near?.country && near.postcode) },
  )
  const choose = useSend(shopReplacement.choose, { quiet: true, done: () => dispatch({ type: 'close' }) })
  const others = found.data?.filter(one => one.id !== shop?.id).slice(0, 9) ?? []
  if (known.isError || found.isError || (found.data && others.length === 0)) return <MethodChoice order={order} />
  return (
    <QueryState of={found} shape="form">
      {() => (
        <>
          <h3>{t('Select another parcel shop')}</h3>
          <Choices
            choices={others.map(one => ({
              key: one.id,
              text: parcelShopLine(one),
            }))}
            onChoose={({ key }) => {
              const one = others.find(other => other.id === key)
              if (!one) return
              const { id, name, address1, postcode, city, country } = one
              choose.mutate({ order_id: order.order_id, body: { id, name, address1, postcode, city, country } }, { onError: reportFailure })
            }}
          />
          <Retry quiet />
        </>
      )}
    </QueryState>
  )
}

function MethodChoice({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, reportFailure } = useStation()
  const options = useCall(orders.shippingOptions, { company: order.company_id })
  const set = useSend(orders.setShipping, { quiet: true, done: () => dispatch({ type: 'close' }) })
  return (
    <QueryState of={options} shape="form">
      {list => (
        <>
          <h3>{t('Select another way of sending')}</h3>
          <Choices
            choices={list
              .filter(option => option.company_id === order.company_id)
              .slice(0, 9)
              .map(option => ({
                key: option.method,
                text: option.name,
              }))}
            onChoose={({ key: method }) => set.mutate({ method, id: order.order_id }, { onError: reportFailure })}
          />
          <Retry quiet />
        </>
      )}
    </QueryState>
  )
}
