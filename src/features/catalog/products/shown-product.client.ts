/** The product that a drawer shows, for the parts that other features add to it. */
import { createContext } from 'react'

export const ShownProduct = createContext<{ sku: string } | null>(null)
