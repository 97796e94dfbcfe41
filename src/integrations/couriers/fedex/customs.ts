/** Customs data of a parcel as FedEx takes them: the value of each line. */
import { needsCustoms } from '#domain/customs/places.ts'
import { fromMinor } from '#domain/money.ts'
import { errorFinding } from '../capabilities.ts'
import type { BookingDraft, CustomsData, Finding, ParcelLine } from '../courier.ts'
import { cutAtWord, kilograms } from '../request-parts.ts'
import { name } from './fedex-login.ts'

/** FedEx's word for the reason, as far as it is documented. */
const purposes: Partial<Record<CustomsData['reason'], string>> = { sale: 'SOLD', gift: 'GIFT', sample: 'SAMPLE' }

/** The price of a piece may have more decimals than its currency, so that the value of the line is exact. */
function commodityOf({ description, quantity, hs_code, origin, value, net_weight_g }: ParcelLine): object[] {
  if (!value || quantity < 1) return []
  const amount = Number(fromMinor(value.amount, value.currency))
  return [
    {
      description: cutAtWord(description, 450),
      ...(origin !== null && { countryOfManufacture: origin }),
      ...(hs_code !== null && { harmonizedCode: hs_code }),
      quantity,
      quantityUnits: 'PCS',
      weight: { units: 'KG', value: kilograms(net_weight_g ?? 0) },
      unitPrice: { amount: Math.round((amount / quantity) * 1e6) / 1e6, currency: value.currency },
      customsValue: { amount, currency: value.currency },
    },
  ]
}

/** The sender pays duties where the goods are delivered duty paid. */
export function clearanceBody({ customs, parcels, settings }: BookingDraft): object | null {
  const lines = parcels[0]?.lines ?? []
  const currency = lines.find(one => one.value)?.value?.currency
  if (!customs || currency === undefined) return null
  const total = lines.reduce((sum, one) => sum + (one.value?.amount ?? 0), 0)
  return {
    dutiesPayment:
      customs.terms === 'DDP'
        ? { paymentType: 'SENDER', payor: { responsibleParty: { accountNumber: { value: settings.account ?? '' } } } }
        : { paymentType: 'RECIPIENT' },
    isDocumentOnly: false,
    totalCustomsValue: { amount: Number(fromMinor(total, currency)), currency },
    commercialInvoice: {
      ...(customs.terms !== null && { termsOfSale: customs.terms }),
      shipmentPurpose: purposes[customs.reason],
    },
    commodities: lines.flatMap(commodityOf),
  }
}

export function customsFindings({ customs, parties, parcels }: BookingDraft): Finding[] {
  const { sender, recipient } = parties
  if (!customs)
    return needsCustoms(sender, recipient)
      ? [errorFinding('customs_data_missing', 'A parcel to {{country}} needs customs data', 'customs', { country: recipient.country })]
      : []
  const lines = parcels[0]?.lines ?? []
  const findings = lines.flatMap(({ description, value, net_weight_g, hs_code }, i): Finding[] => {
    const path = `parcels.0.lines.${i}`
    return [
      ...(description.trim() === '' ? [errorFinding('line_description_missing', 'Say what this line holds', `${path}.description`)] : []),
      ...(value ? [] : [errorFinding('line_value_missing', 'Customs need the value of these goods', `${path}.value`)]),
      ...(net_weight_g ? [] : [errorFinding('line_weight_missing', 'Customs need the weight of these goods', `${path}.net_weight_g`)]),
      ...(hs_code === null || /^\d{6,11}$/.test(hs_code)
        ? []
        : [errorFinding('hs_code_invalid', 'A tariff number has 6 to 11 digits', `${path}.hs_code`)]),
    ]
  })
  if (lines.length === 0)
    findings.push(errorFinding('customs_lines_missing', 'Customs need to know what the parcel holds. Enter its goods.', 'parcels.0.lines'))
  if (new Set(lines.flatMap(one => one.value?.currency ?? [])).size > 1)
    findings.push(errorFinding('field_invalid', 'All lines of a customs invoice must be in one currency', 'parcels.0.lines'))
  if (!purposes[customs.reason])
    findings.push(errorFinding('field_invalid', '{{courier}} cannot carry this reason', 'customs.reason', { courier: name }))
  return findings
}
