/** The order of a shipment as a link, else the reference of a shipment without one. */
import { Link } from '#ui/kit/Link.tsx'
import type { Shipment } from './labels.schemas.ts'

export function OrderLink({ shipment }: { shipment: Pick<Shipment, 'order_id' | 'order_no'> }) {
  if (shipment.order_id === null) return shipment.order_no ? <span title={shipment.order_no}>{shipment.order_no}</span> : '–'
  return (
    <Link to="/parcels/orders" search={{ id: shipment.order_id }}>
      {shipment.order_no}
    </Link>
  )
}
