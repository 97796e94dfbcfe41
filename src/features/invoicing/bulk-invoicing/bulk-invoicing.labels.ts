/** Words for the codes of bulk invoicing. */
import type { Grouping, SendTime } from './bulk-invoicing.codes.ts'

export const groupingLabels: Record<Grouping, string> = {
  hs_origin: 'Tariff code and origin',
  hs_origin_sku: 'Tariff code, origin and product',
}

export const sendTimeLabels: Record<SendTime, string> = {
  freeze: 'When it is frozen',
  hand_over: 'When the courier takes the parcels',
  manual: 'Only by hand',
}
