/** The order that is open at the station, for the parts that are loaded into its side column. */
import { createContext } from 'react'

export const PackedOrder = createContext<{ order_id: number } | null>(null)
