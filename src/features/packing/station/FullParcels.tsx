/** The parcels before the open one that have a label, wait for it, or did not get it. */
import { IconAlertTriangle, IconPackage } from '@tabler/icons-react'
import { isOneOf } from '#domain/objects.ts'
import { unlabelledStates } from '#domain/order/shipment-states.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { useT } from '#ui/kit/translate.ts'
import style from './OrderSidebar.module.css'

export default function FullParcels({ order }: { order: PackingOrder }) {
  const t = useT()
  const open = order.session?.parcel_no ?? 1
  const latest = new Map(order.parcels.filter(parcel => parcel.parcel_no < open).map(parcel => [parcel.parcel_no, parcel]))
  if (latest.size === 0) return null
  return (
    <ul className={style.notes} aria-label={t('Parcels')}>
      {[...latest.values()].map(({ parcel_no, state, tracking_no, error }) => {
        const failed = state === 'error'
        return (
          <li key={parcel_no} className={style[failed ? 'note_warning' : 'note_info']}>
            {failed ? <IconAlertTriangle size={20} aria-hidden /> : <IconPackage size={20} aria-hidden />}
            <span>
              {failed
                ? t('Parcel {{parcel}}: the label failed and is tried again when the order is closed', { parcel: parcel_no })
                : isOneOf(unlabelledStates, state)
                  ? t('Parcel {{parcel}}: the label was cancelled', { parcel: parcel_no })
                  : tracking_no === null
                    ? t('Parcel {{parcel}}: the label is being made', { parcel: parcel_no })
                    : t('Parcel {{parcel}}: the label is made', { parcel: parcel_no })}
              <small>{failed ? t(error ?? '') : tracking_no}</small>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
