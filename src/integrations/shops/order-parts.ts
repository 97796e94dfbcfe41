/** Parts of an order that several shop systems write alike, and the row of a page that an order becomes. */
import type { CanonicalOrder, Reading } from '#domain/order/canonical-order.ts'
import type { ConnectorField, PulledRow } from './shop-connector.ts'
import { amountText, divided, percentText } from './shop-order.ts'

export interface ReadingOptions {
  /** Code of the shop in this system. */
  shop?: string
  /** The shop's own country, for orders that name none. */
  country?: string
  /** Whether unpaid orders may be packed, as with cash on delivery. */
  packUnpaid?: boolean
}

/** Of shops whose goods may leave before they are paid. */
export const packUnpaid: ConnectorField = {
  name: 'pack_unpaid',
  label: 'Pack orders that are not paid',
  choices: [
    { value: 'no', name: 'No' },
    { value: 'yes', name: 'Yes' },
  ],
}

export const optionsOf = ({
  shop,
  country,
  settings,
}: {
  shop: string
  country: string
  settings: Readonly<Record<string, string>>
}): ReadingOptions => ({ shop, country, packUnpaid: settings.pack_unpaid === 'yes' })

/** VAT of amounts without and with it: both are rounded, so a tenth of a percent is the best precision. */
export function vatBetween(excl: bigint | null, incl: bigint | null): string | null {
  if (excl === null || incl === null || excl <= 0n || incl < excl) return null
  return percentText(Number(divided((incl - excl) * 1_000n, excl)) / 10)
}

/** Totals in millionths, with the VAT between them. */
export const totalsOf = (incl: bigint | null, vat: bigint | null) =>
  incl === null
    ? null
    : {
        incl_vat: amountText(incl),
        vat: vat === null ? null : amountText(vat),
        excl_vat: vat === null ? null : amountText(incl - vat),
      }

/** The status of an order that can be sent, by its payment. */
export function statusByPayment(
  payment: CanonicalOrder['payment_status'],
  { packUnpaid }: ReadingOptions,
): NonNullable<CanonicalOrder['status']> {
  if (payment === 'voided') return 'held'
  if (payment === 'pending' || payment === 'partially_paid' || payment === null) return packUnpaid ? 'ready' : 'new'
  return 'ready'
}

/** The row of a page. An order that cannot be understood goes to the log under what is known of it. */
export function rowOf(
  head: { external_id: string | null; order_no: string | null; changed_at: string; status: string | null },
  reading: Reading,
): PulledRow {
  const { order_no } = head
  const row = { external_id: head.external_id?.slice(0, 100) ?? '', changed_at: head.changed_at, status: head.status?.slice(0, 100) ?? '' }
  return reading.problems
    ? { ...row, kind: 'refused', order_no, problems: reading.problems }
    : { ...row, kind: 'order', order: reading.order }
}
