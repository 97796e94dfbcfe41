/** Words for what customers may ask for and how they may send. */
import type { PortalMethod, ReturnOutcome } from './returns.codes.ts'

export const outcomeLabels: Record<ReturnOutcome, string> = {
  refund: 'Refund',
  exchange: 'Exchange',
  credit: 'Credit',
  repair: 'Repair',
}
export const methodLabels: Record<PortalMethod, string> = {
  label: 'Courier label',
  qr: 'QR code',
  own_label: 'My own label',
  bring: 'Bring it to us',
}
