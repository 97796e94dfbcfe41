/** Orders that go in one parcel with this one, or could: offered, taken out, taken apart. */
import { Button } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { combinations } from '#features/orders/orders/combinations/combinations.contract.ts'
import { PhaseBadge } from '#features/orders/orders/order.labels.tsx'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { CombineSavings } from './CombineSavings.tsx'
import style from './OrderPage.module.css'
import { combineRefreshes } from './order-undo.client.ts'

const CombineDialog = lazy(() => import('./CombineDialog.tsx'))

export default function OrderCombination({ order }: { order: Order }) {
  if (order.combined) return <OneParcel order={order} combined={order.combined} />
  return order.phase === 'ready' ? <Suggestion order={order} /> : null
}

function Suggestion({ order }: { order: Order }) {
  const t = useT()
  const [opened, setOpened] = useState(false)
  const { data } = useCall(combinations.suggest, { order_id: order.id }, { live: ['order'] })
  if (!data || data.orders.length === 0) return null
  const ids = [order.id, ...data.orders.map(other => other.id)]
  return (
    <Panel
      title={t('{{count}} other orders go to the same address', { count: data.orders.length })}
      flush
      place={1}
      actions={
        <Button size="compact-md" variant="default" onClick={() => setOpened(true)}>
          {t('Combine')}
        </Button>
      }
    >
      {data.orders.map(other => (
        <OtherOrder key={other.id} {...other} />
      ))}
      <CombineSavings orders={ids} className={style.row} />
      {opened ? (
        <Suspense>
          <CombineDialog orders={ids} close={() => setOpened(false)} />
        </Suspense>
      ) : null}
    </Panel>
  )
}

function OneParcel({ order, combined }: { order: Order; combined: NonNullable<Order['combined']> }) {
  const t = useT()
  const takeOut = useSend(combinations.takeOut, { refreshes: combineRefreshes, said: t('The order goes by itself again') })
  const undo = useSend(combinations.undo, { refreshes: combineRefreshes, said: t('The orders go by themselves again') })
  const others = order.relations.filter(one => one.relation === 'combined_into' || one.relation === 'combines')
  const isLead = combined.lead_no === null
  const [lead] = others
  return (
    <Panel
      title={isLead ? t('In one parcel with') : t('Goes in the parcel of')}
      flush
      place={1}
      actions={
        combined.begun ? null : (
          <Button
            size="compact-md"
            variant="default"
            loading={undo.isPending || takeOut.isPending}
            onClick={() => (isLead ? undo.mutate({ id: order.id }) : lead && takeOut.mutate({ id: lead.id, order_id: order.id }))}
          >
            {isLead ? t('Undo combine') : t('Take out of the parcel')}
          </Button>
        )
      }
    >
      {others.map(other => (
        <OtherOrder key={other.id} {...other}>
          {isLead && !combined.begun && others.length > 1 ? (
            <Button
              size="compact-sm"
              variant="subtle"
              loading={takeOut.isPending && takeOut.variables.order_id === other.id}
              onClick={() => takeOut.mutate({ id: order.id, order_id: other.id })}
            >
              {t('Take out {{number}}', { number: other.order_no })}
            </Button>
          ) : null}
        </OtherOrder>
      ))}
    </Panel>
  )
}

interface OtherOrderProps {
  id: number
  order_no: string
  phase?: Order['phase']
  children?: ReactNode
}

function OtherOrder({ id, order_no, phase, children }: OtherOrderProps) {
  return (
    <div className={style.row}>
      <div className={style.rowHead}>
        <Link to="/parcels/orders" search={{ id: String(id) }}>
          {order_no}
        </Link>
        {phase ? <PhaseBadge phase={phase} /> : null}
        {children}
      </div>
    </div>
  )
}
