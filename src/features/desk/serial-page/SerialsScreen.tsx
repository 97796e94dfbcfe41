/** Serial numbers with what other areas add to them: the videos of an order, and the message to those whom a recall reaches. */
import { lazy } from 'react'
import { SerialList } from '#features/packing/serial-numbers/SerialList.tsx'
import { SerialUnitList } from '#features/packing/serial-numbers/SerialUnitList.tsx'

const OrderVideos = lazy(() => import('#features/packing/packing-video/OrderVideos.tsx'))
const RecallMessage = lazy(() => import('./RecallMessage.tsx'))

export function SerialsScreen() {
  return <SerialList Videos={OrderVideos} Message={RecallMessage} />
}

export function SerialUnitsScreen() {
  return <SerialUnitList Message={RecallMessage} />
}
