/** The order that is open at the station, for the parts that are loaded into its side column. */
import { createContext } from 'react'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'

export const PackedOrder = createContext<Pick<PackingOrder, 'order_id' | 'crate' | 'session'> | null>(null)
