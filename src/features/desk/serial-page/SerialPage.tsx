/** Serial numbers with what other areas add to them: the videos of an order, and the message to those whom a recall reaches. */
import { lazy } from 'react'
import { SerialsScreen } from '#features/packing/serial-numbers/SerialsScreen.tsx'

const OrderVideos = lazy(() => import('#features/packing/packing-video/OrderVideos.tsx'))
const RecallMessage = lazy(() => import('./RecallMessage.tsx'))

export function SerialPage() {
  return <SerialsScreen Videos={OrderVideos} Message={RecallMessage} />
}
