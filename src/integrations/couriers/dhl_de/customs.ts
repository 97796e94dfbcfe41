/** Customs data of a parcel as DHL takes them: values and weights of one piece, all in the currency of the shipping fee. */
import { fromMinor } from '#domain/money.ts'
import { errorFinding } from '../capabilities.ts'
import type { BookingDraft, CustomsData, Finding, ParcelLine } from '../courier.ts'
import { cutAtWord } from '../request-parts.ts'
import { threeLetters } from './country-codes.ts'

const courier = 'DHL'
export const mostItems = 99
/** From this day each line to the USA needs its ten-digit code. Source: DHL's release notes of August 2026. */
const usCodesSince = '2026-07-24'

const reasons: Readonly<Record<CustomsData['reason'], string>> = {
  sale: 'COMMERCIAL_GOODS',
  gift: 'PRESENT',
  sample: 'COMMERCIAL_SAMPLE',
  documents: 'DOCUMENT',
  returned: 'RETURN_OF_GOODS',
  other: 'OTHER',
}

/** `14.49 EUR, 159 NOK` → the amount in this currency; null where none is written. */
function feeIn(written: string, currency: string): number | null {
  const amount = written
    .split(',')
    .map(one => one.trim().split(/ +/))
    .find(one => one[1] === currency)?.[0]
  return amount === undefined ? null : Number(amount)
}

/** What the recipient paid for the shipping: customs add it to the value of the goods. */
function shippingFee({ services, settings }: BookingDraft, currency: string): number | null {
  const amount = services.find(one => one.code === 'postalCharges')?.options.amount
  return typeof amount === 'number' ? amount : feeIn(settings.shipping_fee ?? '', currency)
}

interface Item {
  itemDescription: string
  hsCode?: string
  countryOfOrigin?: string
  packagedQuantity: number
  itemValue: { currency: string; value: number }
  itemWeight: { uom: 'g'; value: number }
}

/** One line as one item, or as two where its value does not divide by its pieces: 10.00 of 3 is 2 × 3.33 and 1 × 3.34. */
function itemsOf({ description, quantity, hs_code, origin, value, net_weight_g }: ParcelLine): Item[] {
  if (!value || quantity < 1) return []
  const each = Math.floor(value.amount / quantity)
  const dearer = value.amount - each * quantity
  const country = threeLetters.get(origin ?? '')
  const item = (packagedQuantity: number, amount: number): Item => ({
    itemDescription: cutAtWord(description, 256),
    ...(hs_code && { hsCode: hs_code }),
    ...(country && { countryOfOrigin: country }),
    packagedQuantity,
    itemValue: { currency: value.currency, value: Number(fromMinor(amount, value.currency)) },
    // Cut, so that the pieces never weigh more than the line.
    itemWeight: { uom: 'g', value: Math.floor(((net_weight_g ?? 0) * 1_000) / quantity) / 1_000 },
  })
  return [item(quantity - dearer, each), item(dearer, each + 1)].filter(one => one.packagedQuantity > 0)
}

export function customsBody(request: BookingDraft): object | null {
  const { customs, parcels, method } = request
  const lines = parcels[0]?.lines ?? []
  const currency = lines.find(one => one.value)?.value?.currency
  if (!customs || currency === undefined) return null
  const eori = customs.numbers.find(one => one.kind === 'eori')?.value
  return {
    exportType: reasons[customs.reason],
    ...(customs.reason === 'other' && { exportDescription: cutAtWord(lines.map(one => one.description).join(', '), 80) }),
    ...(method === 'V54EPAK' && customs.terms !== null && { shippingConditions: customs.terms }),
    postalCharges: { currency, value: shippingFee(request, currency) ?? 0 },
    ...(eori !== undefined && { shipperCustomsRef: eori }),
    items: lines.flatMap(itemsOf),
  }
}

/** What customs or DHL would refuse of the goods, line by line. */
export function customsFindings(request: BookingDraft): Finding[] {
  const { customs, parcels, method, parties } = request
  if (!customs) return []
  const lines = parcels[0]?.lines ?? []
  const findings = lines.flatMap((line, i) => lineFindings(line, `parcels.0.lines.${i}`, request))
  if (lines.length === 0)
    findings.push(errorFinding('customs_lines_missing', 'Customs need to know what the parcel holds. Enter its goods.', 'parcels.0.lines'))
  const currencies = new Set(lines.flatMap(one => one.value?.currency ?? []))
  const [currency] = currencies
  if (currencies.size > 1)
    findings.push(errorFinding('field_invalid', 'All lines of a customs invoice must be in one currency', 'parcels.0.lines'))
  else if (currency !== undefined && shippingFee(request, currency) === null)
    findings.push(
      errorFinding(
        'shipping_fee_missing',
        'Customs need the shipping fee in {{currency}}. Enter it in the settings of the courier.',
        'services',
        { currency },
      ),
    )
  if (lines.flatMap(itemsOf).length > mostItems)
    findings.push(
      errorFinding('too_many_customs_lines', '{{courier}} takes {{limit}} customs lines per parcel at most', 'parcels', {
        courier,
        limit: mostItems,
      }),
    )
  const terms = method === 'V66WPI' ? ['DAP'] : ['DAP', 'DDP']
  if (customs.terms !== null && !terms.includes(customs.terms))
    findings.push(
      errorFinding('field_invalid', '{{courier}} takes these terms of trade: {{terms}}', 'customs.terms', {
        courier,
        terms: terms.join(', '),
      }),
    )
  const second = customs.numbers.findIndex((one, i) => customs.numbers.slice(0, i).some(earlier => earlier.kind === one.kind))
  if (second >= 0)
    findings.push(
      errorFinding('number_not_carried', '{{courier}} cannot carry a number of the kind {{kind}}', `customs.numbers.${second}.kind`, {
        courier,
        kind: customs.numbers[second]?.kind ?? '',
      }),
    )
  if (parties.recipient.country !== 'US') return findings
  const short = lines.findIndex(one => one.hs_code?.length !== 10)
  if (short >= 0) {
    const finding = errorFinding('hs_code_short', 'Customs of the USA need an HS code of 10 digits', `parcels.0.lines.${short}.hs_code`)
    findings.push(request.ship_date < usCodesSince ? { ...finding, code: null, severity: 'warning' } : finding)
  }
  return findings
}

function lineFindings({ description, value, net_weight_g, hs_code }: ParcelLine, path: string, { parties }: BookingDraft): Finding[] {
  const findings: Finding[] = []
  if (description.trim() === '') findings.push(errorFinding('line_description_missing', 'Say what this line holds', `${path}.description`))
  if (!value) findings.push(errorFinding('line_value_missing', 'Customs need the value of these goods', `${path}.value`))
  if (!net_weight_g) findings.push(errorFinding('line_weight_missing', 'Customs need the weight of these goods', `${path}.net_weight_g`))
  if (hs_code !== null && !/^\d{6,11}$/.test(hs_code) && parties.recipient.country !== 'US')
    findings.push(errorFinding('hs_code_invalid', 'A tariff number has 6 to 11 digits', `${path}.hs_code`))
  return findings
}
