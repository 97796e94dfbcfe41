/** A label that is checked, or still on its way. */
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconScan } from '@tabler/icons-react'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import { Eyebrow } from './ClosingView.tsx'
import style from './LabelViews.module.css'
import parts from './station-parts.module.css'
import { ByKey, Prompt, useStation } from './station-parts.tsx'

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
