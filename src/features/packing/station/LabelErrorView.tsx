/** A label that the courier refused: its words, and the field to correct in place. Loaded when it happens. */
import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { access } from '#contract/access.ts'
import { parcelShopLine } from '#domain/order/parcel-shop.ts'
import { orders } from '#features/orders/orders/orders.contract.ts'
import { AddressCorrection, WeightForm } from '#features/packing/packing/LabelForms.tsx'
import { correctionOf } from '#features/packing/packing/label-correction.rules.ts'
import { useOtherShops } from '#features/packing/packing/other-shops.client.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { shopReplacement } from '#features/shipping/shop-replacement/shop-replacement.contract.ts'
import { QueryState } from '#ui/kit/QueryState.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import big from './BigMessage.module.css'
import { Eyebrow } from './ClosingView.tsx'
import style from './LabelViews.module.css'
import parts from './station-parts.module.css'
import { ByKey, Choices, useSay, useStation } from './station-parts.tsx'

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
  const { dispatch, reportFailure } = useStation()
  const mayEdit = useIsAllowed(access.parcels)
  if (kind === 'weight')
    return <WeightForm weight_g={weight_g} save={weight_g => dispatch({ type: 'close', weight_g })} className={parts.fields} size="lg" />
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
  if (kind === 'address')
    return (
      <AddressCorrection
        order_id={order.order_id}
        field={field}
        saved={() => dispatch({ type: 'close' })}
        failed={reportFailure}
        className={parts.fields}
        size="lg"
      />
    )
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

/** The nearest other shops, of which one goes with a key; without any, another way of sending. */
function ShopChoice({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, reportFailure } = useStation()
  const { found, others, hasNone } = useOtherShops(order.order_id)
  const choose = useSend(shopReplacement.choose, { quiet: true, done: () => dispatch({ type: 'close' }) })
  if (hasNone) return <MethodChoice order={order} />
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
