/** Customs data of a parcel as Shipmondo takes them: value and weight of one piece. */
import { fromMinor } from '#domain/money.ts'
import { errorFinding } from '../capabilities.ts'
import type { BookingDraft, CustomsData, Finding, ParcelLine } from '../courier.ts'

const reasons: Readonly<Record<CustomsData['reason'], string>> = {
  sale: 'sale_of_goods',
  gift: 'gift',
  sample: 'commercial_samples',
  documents: 'documents',
  returned: 'returned_goods',
  other: 'other',
}

/** One line as one row, or as two where its value does not divide by its pieces: 10.00 of 3 is 2 × 3.33 and 1 × 3.34. */
function goodsOf({ description, quantity, hs_code, origin, value, net_weight_g }: ParcelLine): object[] {
  if (!value || quantity < 1) return []
  const each = Math.floor(value.amount / quantity)
  const dearer = value.amount - each * quantity
  const row = (pieces: number, amount: number) => ({
    quantity: pieces,
    unit: 'piece',
    ...(origin !== null && { country_code: origin }),
    content: description.trim(),
    ...(hs_code !== null && { commodity_code: hs_code }),
    unit_value: Number(fromMinor(amount, value.currency)),
    // Cut, so that the pieces never weigh more than the line.
    unit_weight: Math.floor((net_weight_g ?? 0) / quantity),
  })
  return [row(quantity - dearer, each), row(dearer, each + 1)].filter(one => one.quantity > 0)
}

export function customsBody({ customs, parcels }: BookingDraft): object | null {
  const lines = parcels[0]?.lines ?? []
  const currency_code = lines.find(one => one.value)?.value?.currency
  if (!customs || currency_code === undefined) return null
  return { export_reason: reasons[customs.reason], currency_code, goods: lines.flatMap(goodsOf) }
}

/** What customs would refuse of the goods, line by line. */
export function customsFindings({ customs, parcels }: BookingDraft): Finding[] {
  if (!customs) return []
  const lines = parcels[0]?.lines ?? []
  const findings = lines.flatMap(({ description, value, net_weight_g }, i): Finding[] => {
    const path = `parcels.0.lines.${i}`
    return [
      ...(description.trim() === '' ? [errorFinding('line_description_missing', 'Say what this line holds', `${path}.description`)] : []),
      ...(value ? [] : [errorFinding('line_value_missing', 'Customs need the value of these goods', `${path}.value`)]),
      ...(net_weight_g ? [] : [errorFinding('line_weight_missing', 'Customs need the weight of these goods', `${path}.net_weight_g`)]),
    ]
  })
  if (lines.length === 0)
    findings.push(errorFinding('customs_lines_missing', 'Customs need to know what the parcel holds. Enter its goods.', 'parcels.0.lines'))
  if (new Set(lines.flatMap(one => one.value?.currency ?? [])).size > 1)
    findings.push(errorFinding('field_invalid', 'All lines of a customs invoice must be in one currency', 'parcels.0.lines'))
  return findings
}
