/** Beside what comes next: for whom the order is, what to heed, and all of its lines. */
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconBulb, IconInfoCircle, IconThumbUp } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { access } from '#contract/access.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { country } from '#ui/kit/format.ts'
import { ImageView } from '#ui/kit/ImageView.tsx'
import { initials } from '#ui/kit/initials.ts'
import { optionalPart } from '#ui/kit/optional-part.ts'
import { Slot } from '#ui/kit/Slot.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import style from './OrderSidebar.module.css'
import { PackedOrder } from './packed-order.client.ts'
import { packingStation } from './station.contract.ts'
import { isDone } from './station.rules.ts'
import { companyPaint, Deadline, LineRow, useStation } from './station-parts.tsx'

const FullParcels = optionalPart(() => import('./FullParcels.tsx').then(module => module.default))
const AdditionList = optionalPart(() => import('./AdditionForm.tsx').then(module => module.AdditionList))

export function OrderSidebar({ order }: { order: PackingOrder }) {
  return (
    <div className={style.side}>
      <OrderFacts order={order} />
      {(order.session?.parcel_no ?? 1) > 1 ? (
        <Suspense>
          <FullParcels order={order} />
        </Suspense>
      ) : null}
      <PackedOrder value={order}>
        <Slot name="packing" />
      </PackedOrder>
      <Notes order={order} />
      <Lines order={order} />
    </div>
  )
}

function OrderFacts({ order }: { order: PackingOrder }) {
  const t = useT()
  const { state } = useStation()
  const { ship_to, shipping } = order
  const paint = companyPaint(order.company_color)
  return (
    <section className={style.facts}>
      <div className={style.factsTop}>
        <Deadline at={order.ship_by} chip />
        {(order.session?.parcel_no ?? 1) > 1 ? (
          <span className={style.parcel}>{t('Parcel {{parcel}}', { parcel: order.session?.parcel_no })}</span>
        ) : null}
      </div>
      <p className={style.company}>
        <span className={style.monogram} style={paint} aria-hidden>
          {initials(order.company_name)}
        </span>
        <b>{order.company_name}</b>
      </p>
      <p className={style.shipTo}>
        <b>{ship_to.name || order.customer_name}</b>
        <span>{[ship_to.company, ship_to.address1].filter(Boolean).join(', ')}</span>
        <span>
          {[`${ship_to.postcode} ${ship_to.city}`.trim(), ship_to.country ? country(ship_to.country) : ''].filter(Boolean).join(', ')}
        </span>
      </p>
      {order.goods_at ? <p>{t('Reopened: its items lie at station {{station}}', { station: order.goods_at })}</p> : null}
      {shipping.name || shipping.packing_text ? (
        <div className={style.method}>
          {shipping.has_picture ? (
            <ImageView
              from={{ call: packingStation.handlingPicture, input: { order_id: order.order_id } }}
              sku={t(shipping.name)}
              name={t(shipping.name)}
              size={96}
            />
          ) : null}
          <p>
            <b>{t(shipping.name)}</b>
            {shipping.packing_text ? <span>{shipping.packing_text}</span> : null}
          </p>
        </div>
      ) : null}
      {state.busy ? <span className={style.srOnly}>{t('Working')}</span> : null}
    </section>
  )
}

const noteIcons = { info: IconInfoCircle, praise: IconThumbUp, advice: IconBulb, warning: IconAlertTriangle } as const

function Notes({ order }: { order: PackingOrder }) {
  const t = useT()
  const words = { info: t('Information'), praise: t('Praise'), advice: t('Advice'), warning: t('Warning') }
  if (order.comments.length === 0) return null
  return (
    <ul className={style.notes} aria-label={t('Notes')}>
      {order.comments.map(note => {
        const Icon = noteIcons[note.type]
        return (
          <li key={note.id} className={style[`note_${note.type}`]}>
            <Icon size={20} aria-label={words[note.type]} />
            <span>
              {note.comment}
              <small>{note.actor}</small>
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function Lines({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch, state } = useStation()
  const mayBypass = useIsAllowed(access.scan)
  const [unfolded, setUnfolded] = useState(false)
  const open = order.lines.filter(line => !isDone(line))
  const done = order.lines.filter(isDone)
  return (
    <section className={style.lines}>
      <h3>{t('{{packed}} of {{to_pack}} packed', { packed: order.packed, to_pack: order.to_pack })}</h3>
      <ul>
        {open.map(line => (
          <LineRow key={line.order_line_id} line={line} touched={state.touched === line.order_line_id} company_id={order.company_id} />
        ))}
      </ul>
      {order.additions.length > 0 ? (
        <Suspense>
          <AdditionList order={order} />
        </Suspense>
      ) : null}
      {done.length > 0 ? (
        <>
          <button type="button" className={style.fold} aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {t('{{count}} lines are done', { count: done.length })}
          </button>
          <ul>
            {(unfolded ? done : done.filter(line => line.order_line_id === state.touched)).map(line => (
              <LineRow key={line.order_line_id} line={line} touched={state.touched === line.order_line_id} company_id={order.company_id} />
            ))}
          </ul>
        </>
      ) : null}
      {mayBypass && state.view === 'packing' && open.length > 0 ? (
        <Button variant="subtle" color="gray" size="md" onClick={() => dispatch({ type: 'ask', dialog: 'bypass' })}>
          {t('Pack without scanning …')}
        </Button>
      ) : null}
    </section>
  )
}
