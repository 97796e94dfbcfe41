/** Words for outcomes and ways to send. */
import type { PortalMethod, portalOutcomes } from './portal.codes.ts'

export const outcomeLabels: Record<(typeof portalOutcomes)[number], string> = {
  refund: 'Refund',
  exchange: 'Exchange',
  credit: 'Credit',
  repair: 'Repair',
}
export const methodLabels: Record<PortalMethod, string> = { own_label: 'My own label', bring: 'Bring it to us' }
