/** Everything that an invoice must fulfil before it gets a number. */
import { entriesOf } from '#domain/objects.ts'
import type { InvoiceSums } from './invoice-calculation.rules.ts'
import { type CheckCode, type Gap, mostNamed } from './invoices.codes.ts'
import type { InvoiceCheck } from './invoices.schemas.ts'

export interface CheckedParcel {
  shipment_id: number
  order_id: number | null
  order_no: string | null
  tracking_no: string | null
  weight_g: number
  gaps: readonly Gap[]
  /** Its label holds. */
  booked: boolean
  /** It goes to the country of the invoice with its courier. */
  right_way: boolean
  skipped: boolean
  /** Its own papers went with the booking. */
  cleared_alone: boolean
  /** The number of the invoice that it is on already. */
  on_invoice: string | null
  /** It was scanned onto a collect list, or has left. */
  scanned: boolean
}

export interface CheckedInvoice {
  parcels: readonly CheckedParcel[]
  sums: InvoiceSums
  currency: string
  courier: string
  max_lines: number
  min_parcels: number
  /** Fields of importer and exporter that are missing or wrong. */
  party_gaps: readonly string[]
  /** Parcels that wait on the chosen collect lists and are not on the invoice. */
  left_on_lists: readonly Omit<CheckedParcel, 'gaps'>[]
  sends_itself: boolean
  recipients: number
  has_mail_account: boolean
}

type Found = Omit<InvoiceCheck, 'code'>
type Named = Pick<CheckedParcel, 'shipment_id' | 'order_id' | 'order_no' | 'tracking_no'> & { gaps?: readonly Gap[] }

const fine = (text: string, values: Found['values'] = {}): Found => ({ level: 'ok', text, values, parcels: [] })
const found = (level: 'error' | 'warning', text: string, parcels: readonly Named[] = [], values: Found['values'] = {}): Found => ({
  level,
  text,
  values: { count: parcels.length, ...values },
  parcels: parcels.slice(0, mostNamed).map(({ shipment_id, order_id, order_no, tracking_no, gaps = [] }) => ({
    ...{ shipment_id, order_id, order_no, tracking_no },
    gaps: [...gaps],
  })),
})

const checks: Record<CheckCode, (invoice: CheckedInvoice) => Found> = {
  complete({ parcels }) {
    const incomplete = parcels.filter(parcel => parcel.gaps.length > 0)
    if (parcels.length === 0) return found('error', 'There is no parcel on it')
    return incomplete.length > 0
      ? found('error', 'Customs data is missing in {{count}} parcels', incomplete)
      : fine('Every parcel has its customs data')
  },
  rate_missing({ sums, currency }) {
    return sums.missing_rates.length > 0
      ? found('error', 'Enter the rate from {{from}} to {{to}}', [], { from: sums.missing_rates.join(', '), to: currency })
      : fine('Every amount is in {{to}}', { to: currency })
  },
  sums({ sums, parcels }) {
    const total = (of: readonly number[]) => of.reduce((all, one) => all + one, 0)
    const sameValue = total(sums.lines.map(line => line.value)) === total(sums.parcels.map(parcel => parcel.value))
    const sameWeight = total(sums.lines.map(line => line.gross_g)) === total(parcels.map(parcel => parcel.weight_g))
    // Where data is missing the weights cannot agree, and the checks before say why.
    const judged = sums.missing_rates.length === 0 && parcels.every(parcel => !parcel.gaps.includes('contents'))
    return judged && !(sameValue && sameWeight)
      ? found('error', 'The sums of lines and parcels differ')
      : fine('Lines and parcels have the same sums')
  },
  parcels({ parcels, left_on_lists }) {
    const gone = parcels.filter(parcel => !parcel.booked || !parcel.right_way)
    if (gone.length > 0) return found('error', '{{count}} parcels have no label to this country any more', gone)
    if (left_on_lists.length > 0) return found('error', '{{count}} parcels of the collect lists are not on it', left_on_lists)
    const waiting = parcels.filter(parcel => !parcel.scanned)
    return waiting.length > 0 ? found('warning', '{{count}} parcels are not scanned out yet', waiting) : fine('Every parcel is scanned out')
  },
  regime({ parcels }) {
    const alone = parcels.filter(parcel => parcel.skipped || parcel.cleared_alone)
    return alone.length > 0 ? found('error', '{{count}} parcels are cleared alone', alone) : fine('No parcel is cleared alone')
  },
  lines({ sums, max_lines, courier }) {
    const lines = sums.lines.length
    return lines > max_lines
      ? found('error', '{{lines}} lines; {{courier}} takes {{most}}. Split it by collect list.', [], { lines, most: max_lines, courier })
      : fine('{{lines}} of at most {{most}} lines', { lines, most: max_lines })
  },
  minimum({ parcels, min_parcels }) {
    return parcels.length < min_parcels
      ? found('warning', 'The courier asks for at least {{least}} parcels', [], { least: min_parcels })
      : fine('Enough parcels')
  },
  numbers({ party_gaps }) {
    return party_gaps.length > 0
      ? found('error', 'Importer or exporter is incomplete in the settings')
      : fine('Importer and exporter are complete')
  },
  twice({ parcels }) {
    const twice = parcels.filter(parcel => parcel.on_invoice !== null)
    return twice.length > 0
      ? found('error', '{{count}} parcels are on another invoice already', twice, { invoice: twice[0]?.on_invoice ?? '' })
      : fine('No parcel is on another invoice')
  },
  recipients({ sends_itself, recipients, has_mail_account }) {
    if (sends_itself && recipients === 0) return found('warning', 'Nobody gets it by e-mail: no recipient is set')
    if (recipients > 0 && !has_mail_account) return found('warning', 'Nobody gets it by e-mail: no account is set up')
    return sends_itself ? fine('Recipients are set') : fine('It is sent by hand')
  },
}

const levels = ['error', 'warning', 'ok']

/** Errors first. */
export const checkInvoice = (invoice: CheckedInvoice): InvoiceCheck[] =>
  entriesOf(checks)
    .map(([code, check]) => ({ code, ...check(invoice) }))
    .toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))
