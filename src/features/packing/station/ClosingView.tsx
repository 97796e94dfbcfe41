/** The end of an order: its label is made, refused, checked, or still on its way. */
import { Button, Loader } from '@mantine/core'
import { IconAlertTriangle, IconCloudOff, IconScan } from '@tabler/icons-react'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './ClosingView.module.css'
import parts from './station-parts.module.css'
import { ByKey, CompanyTag, Prompt, useStation } from './station-parts.tsx'

export function Eyebrow({ order }: { order: PackingOrder }) {
  const t = useT()
  return (
    <>
      {t('Order {{order_no}}', { order_no: order.order_no })} · <CompanyTag order={order} />
    </>
  )
}

export function ClosingView({ order }: { order: PackingOrder }) {
  const t = useT()
  const { state } = useStation()
  const parcels = order.session?.parcel_no ?? 1
  return (
    <div className={parts.middle}>
      <Prompt
        eyebrow={<Eyebrow order={order} />}
        detail={
          state.unreached
            ? t('The label is created once the connection is back. Nothing is lost.')
            : state.unsent > 0
              ? t('{{count}} scans wait for the connection', { count: state.unsent })
              : parcels > 1
                ? t('{{count}} parcels, one label each', { count: parcels })
                : null
        }
      >
        {state.unreached ? <IconCloudOff className={parts.doneMark} aria-hidden /> : <Loader size={56} color="currentColor" aria-hidden />}{' '}
        {state.unreached ? t('No connection') : t('The label is being made')}
      </Prompt>
    </div>
  )
}

/** The courier has not said whether it has the parcel. */
export function WaitingView({ order }: { order: PackingOrder }) {
  const t = useT()
  const { dispatch } = useStation()
  return (
    <div className={`${parts.middle} ${style.middleSoon}`}>
      <Prompt eyebrow={<Eyebrow order={order} />} detail={t('The courier has not answered. Put the parcel aside; its label follows.')}>
        <IconAlertTriangle className={parts.doneMark} aria-hidden /> {t('No label yet')}
      </Prompt>
      <div>
        <Button size="lg" onClick={() => dispatch({ type: 'leave' })} rightSection={<ByKey keys="Enter" />}>
          {t('Next order')}
        </Button>
      </div>
    </div>
  )
}

export function LabelCheckView({ order }: { order: PackingOrder }) {
  const t = useT()
  const { state } = useStation()
  const wrong = state.message?.tone === 'error'
  return (
    <div className={`${parts.middle} ${wrong ? style.middleStop : ''}`}>
      <Prompt
        eyebrow={<Eyebrow order={order} />}
        detail={
          <>
            {order.customer_name}, {order.ship_to.city}
            {order.parcels.map(parcel => (
              <code key={parcel.shipment_id}> {parcel.tracking_no}</code>
            ))}
          </>
        }
      >
        <IconScan className={parts.doneMark} aria-hidden /> {t('Scan the new label')}
      </Prompt>
    </div>
  )
}
