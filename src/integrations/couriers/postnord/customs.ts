/** The customs invoice that PostNord makes with the label, and what it refuses. Source: its Booking APIs 3.5. */
import { fromMinor } from '#domain/money.ts'
import type { Party } from '#domain/party.ts'
import { errorFinding } from '../capabilities.ts'
import type { BookingDraft, BookingRequest, CustomsData, Finding, ParcelLine } from '../courier.ts'
import { cutAtWord, kilograms, partyName } from '../request-parts.ts'
import { digitsOf, issuerOf, name, personOf, postcodeOf, streetsOf } from './parties.ts'

/** The declared goods; lines with the same tariff number, origin and description are one. */
function mergedLines(lines: readonly ParcelLine[]): ParcelLine[] {
  const merged = new Map<string, ParcelLine>()
  for (const line of lines) {
    const { hs_code, origin, description, value, net_weight_g } = line
    const key = JSON.stringify([hs_code, origin, description.trim(), value?.currency])
    const before = merged.get(key)
    if (!before) merged.set(key, line)
    else
      merged.set(key, {
        ...before,
        quantity: before.quantity + line.quantity,
        value: before.value && value && { ...value, amount: before.value.amount + value.amount },
        net_weight_g: before.net_weight_g === null || net_weight_g === null ? null : before.net_weight_g + net_weight_g,
      })
  }
  return [...merged.values()]
}

export const kgm = (weight_g: number) => ({ value: kilograms(weight_g), unit: 'KGM' })
const money = (amount: number, currency: string) => ({ amount: Number(fromMinor(amount, currency)), currency })

/** A pro forma invoice is for goods that are not sold. */
export const invoiceKind = ({ reason }: CustomsData): 'invoice' | 'proforma' =>
  reason === 'sale' || reason === 'other' ? 'invoice' : 'proforma'

const numberOf = ({ numbers }: CustomsData, kind: CustomsData['numbers'][number]['kind']): string =>
  numbers.find(one => one.kind === kind)?.value.trim() ?? ''

export function customsInvoice(request: BookingRequest, customs: CustomsData): object {
  const { parties, parcels, settings, order_no, reference, ship_date } = request
  const lines = mergedLines(parcels.flatMap(parcel => parcel.lines))
  const currency = lines[0]?.value?.currency ?? ''
  const eori = numberOf(customs, 'eori') || settings.eori
  const voec = numberOf(customs, 'voec')
  const ioss = numberOf(customs, 'ioss')
  const trader = (party: Party) => ({
    name: cutAtWord(partyName(party), 60),
    streets: streetsOf(party),
    city: cutAtWord(party.city, 35),
    postalCode: postcodeOf(party.postcode, party.country),
    countryCode: party.country,
    contacts: {
      name: cutAtWord(personOf(party), 60),
      phoneNo: digitsOf(party.phone),
      ...(party.email?.trim() && { emailAddress: party.email.trim() }),
    },
  })
  const procedure = customs.reason === 'returned' ? '1040' : '1000'
  return {
    type: invoiceKind(customs) === 'invoice' ? 'COMMERCIAL' : 'PROFORMA',
    declarationType: 'invoiceExportDeclaration',
    ...(voec && { voec }),
    ...(ioss && { ioss }),
    seller: {
      ...trader(parties.sender),
      partyIdentification: { partyId: settings.customer_no ?? '', partyIdType: '160' },
      vatNo: numberOf(customs, 'vat') || settings.vat_no,
      ...(eori && { eoriNo: eori }),
    },
    buyer: trader(parties.recipient),
    invoice: {
      invoiceNo: order_no ?? reference,
      shippingDate: ship_date,
      reasonForExportation: issuerOf(settings) === 'Z11' ? `${procedure}0000` : procedure,
      ...(customs.terms && { termsOfSale: customs.terms }),
    },
    detailedDescription: lines.map(line => ({
      quantity: line.quantity,
      hsTariffNumber: line.hs_code,
      content: cutAtWord(line.description, 1_025),
      countryOfOrigin: line.origin,
      netWeight: kgm(line.net_weight_g ?? 0),
      // Value and weight are of the whole line: their sums are those of the invoice.
      itemValue: money(line.value?.amount ?? 0, currency),
    })),
    totalGrossWeight: kgm(parcels.reduce((sum, parcel) => sum + parcel.weight_g, 0)),
    invoiceTotal: money(
      lines.reduce((sum, line) => sum + (line.value?.amount ?? 0), 0),
      currency,
    ),
  }
}

const mostLines = 13
const terms = ['DAP', 'DDP', 'EXW', 'DAT']

export function customsFindings({ parties, parcels, customs, operation, settings }: BookingDraft): Finding[] {
  if (!customs) return []
  // The seller of a customs invoice has a VAT number; a customer who sends goods back has none.
  if (operation === 'return')
    return [errorFinding('operation_not_offered', '{{courier}} does not offer this operation', 'operation', { courier: name })]
  const findings: Finding[] = []
  for (const [i, kind] of customs.documents.entries())
    if ((kind === 'invoice' || kind === 'proforma') && kind !== invoiceKind(customs))
      findings.push(
        errorFinding('document_not_offered', '{{courier}} does not make the document {{kind}}', `customs.documents.${i}`, {
          courier: name,
          kind,
        }),
      )
  if (!numberOf(customs, 'vat') && !settings.vat_no)
    findings.push(
      errorFinding(
        'field_invalid',
        'Customs need the VAT number of the sender. Enter it in the settings of the courier.',
        'customs.numbers',
      ),
    )
  if (customs.terms && !terms.includes(customs.terms))
    findings.push(
      errorFinding('field_invalid', '{{courier}} takes these terms of trade: {{terms}}', 'customs.terms', {
        courier: name,
        terms: terms.join(', '),
      }),
    )
  if (!digitsOf(parties.sender.phone))
    findings.push(errorFinding('field_invalid', 'Customs need a phone number of the sender', 'sender.phone'))
  if (!digitsOf(parties.recipient.phone))
    findings.push(errorFinding('phone_missing', '{{courier}} needs a phone number of the recipient', 'recipient.phone', { courier: name }))
  return [...findings, ...parcels.flatMap((parcel, i) => lineFindings(parcel.lines, `parcels.${i}.lines`))]
}

function lineFindings(lines: readonly ParcelLine[], path: string): Finding[] {
  const findings: Finding[] = []
  const incomplete = (field: string) =>
    findings.push(
      errorFinding(
        'customs_line_incomplete',
        'For customs every line needs a description, a tariff number, an origin, a value and a net weight',
        field,
      ),
    )
  if (lines.length === 0) incomplete(path)
  for (const [i, { description, hs_code, origin, value, net_weight_g }] of lines.entries()) {
    if (!description.trim()) incomplete(`${path}.${i}.description`)
    if (!hs_code) incomplete(`${path}.${i}.hs_code`)
    if (!origin) incomplete(`${path}.${i}.origin`)
    if (!value || value.amount <= 0) incomplete(`${path}.${i}.value`)
    if (!net_weight_g) incomplete(`${path}.${i}.net_weight_g`)
  }
  if (new Set(lines.map(line => line.value?.currency)).size > 1)
    findings.push(errorFinding('field_invalid', 'All lines of a customs invoice must be in one currency', path))
  if (mergedLines(lines).length > mostLines)
    findings.push(
      errorFinding('too_many_customs_lines', '{{courier}} takes {{limit}} customs lines per parcel at most', 'parcels', {
        courier: name,
        limit: mostLines,
      }),
    )
  return findings
}
