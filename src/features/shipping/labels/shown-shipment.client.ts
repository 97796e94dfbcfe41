/** The parcel of an order that is shown beside the list, for the parts that are loaded under it. */
import { createContext } from 'react'

export const ShownShipment = createContext<{ order_id: number; parcel_no: number } | null>(null)
