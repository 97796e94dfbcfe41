/** What the address of the shipments screen holds. */

import * as z from 'zod'
import { shipmentStates } from '#domain/order/shipment-states.ts'
import type { SetUrl, UrlWith } from '#ui/kit/url-state.ts'
import { boards } from './labels.codes.ts'

export const ShipmentsUrl = z.object({
  tab: z.enum(['parcels', 'scan', 'log']).default('parcels'),
  query: z.string().default(''),
  state: z.enum(['', ...shipmentStates]).default(''),
  board: z.enum(['', ...boards]).default(''),
  agent: z.string().default(''),
  company: z.string().default(''),
  outcome: z.enum(['', 'ok', 'refused', 'unavailable', 'unknown', 'found', 'not_found']).default(''),
  page: z.coerce.number<unknown>().int().min(1).default(1),
  /** The open shipment, or the open entry of the record. */
  id: z.coerce.number<unknown>().int().min(0).default(0),
})
export type ShipmentsUrl = z.output<typeof ShipmentsUrl>

export interface ListProps {
  url: ShipmentsUrl
  setUrl: SetUrl<typeof ShipmentsUrl>
  urlWith: UrlWith<typeof ShipmentsUrl>
}
