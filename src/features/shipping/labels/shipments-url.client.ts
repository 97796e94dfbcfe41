/** What the address of the shipments screen holds. */

import { shipmentStates } from '#domain/order/shipment-states.ts'
import { type UrlValues, urlChoice, urlNumber, urlText } from '#ui/kit/url-fields.ts'
import type { SetUrl, UrlWith } from '#ui/kit/url-state.ts'
import { boards } from './labels.codes.ts'

export const ShipmentsUrl = {
  tab: urlChoice(['parcels', 'scan', 'log'], 'parcels'),
  query: urlText(),
  state: urlChoice(['', ...shipmentStates], ''),
  board: urlChoice(['', ...boards], ''),
  agent: urlText(),
  company: urlText(),
  /** The span in which they left. */
  left: urlText(),
  outcome: urlChoice(['', 'ok', 'refused', 'unavailable', 'unknown', 'found', 'not_found'], ''),
  page: urlNumber(1),
  /** The open shipment, or the open entry of the record. */
  id: urlNumber(0),
}
export type ShipmentsUrl = UrlValues<typeof ShipmentsUrl>

export interface ListProps {
  url: ShipmentsUrl
  setUrl: SetUrl<typeof ShipmentsUrl>
  urlWith: UrlWith<typeof ShipmentsUrl>
}
