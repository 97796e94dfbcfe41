/** The end of an order: its label is made. */
import { Loader } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import parts from './station-parts.module.css'
import { CompanyTag, Prompt, useStation } from './station-parts.tsx'

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
