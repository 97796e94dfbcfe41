/** Words for the codes of invoices. */
import { StateBadge, type Tone } from '#ui/kit/StateBadge.tsx'
import { useT } from '#ui/kit/translate.ts'
import type { Gap, InvoiceState } from './invoices.codes.ts'
import type { InvoiceInFull, TradeInvoice } from './invoices.schemas.ts'

export const stateLabels: Record<InvoiceState, string> = {
  draft: 'Draft',
  frozen: 'Frozen',
  sent: 'Sent',
  blocked: 'Blocked',
  handed_over: 'Handed over',
  credited: 'Credited',
}
const tones: Record<InvoiceState, Tone> = {
  draft: 'plain',
  frozen: 'busy',
  sent: 'done',
  blocked: 'stop',
  handed_over: 'done',
  credited: 'quiet',
}

export const gapLabels: Record<Gap, string> = {
  contents: 'Contents',
  hs: 'Tariff code',
  origin: 'Origin',
  description: 'Description',
  weight: 'Weight',
  value: 'Value',
}

export const deliveryLabels: Record<InvoiceInFull['deliveries'][number]['state'], string> = {
  waiting: 'On its way',
  delivered: 'Sent',
  failed: 'Not delivered',
  not_sent: 'Not sent',
}

export function InvoiceBadge({ of: { state } }: { of: Pick<TradeInvoice, 'state'> }) {
  const t = useT()
  return <StateBadge tone={tones[state]}>{t(stateLabels[state])}</StateBadge>
}
