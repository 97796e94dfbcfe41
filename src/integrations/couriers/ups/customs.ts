/** The customs invoice that UPS draws: values of one piece, all in one currency. */
import { needsCustoms } from '#domain/customs/places.ts'
import { fromMinor } from '#domain/money.ts'
import { errorFinding } from '../capabilities.ts'
import type { BookingDraft, BookingRequest, CustomsData, Finding, ParcelLine } from '../courier.ts'
import { cutAtWord } from '../request-parts.ts'
import { name, type Settings } from './ups-login.ts'

export const mostProducts = 50
/** Incoterms that UPS prints. */
const terms = ['CFR', 'CIF', 'CIP', 'CPT', 'DAF', 'DAP', 'DDP', 'DEQ', 'DES', 'EXW', 'FAS', 'FCA', 'FOB']

const reasons: Readonly<Record<CustomsData['reason'], string>> = {
  sale: 'SALE',
  gift: 'GIFT',
  sample: 'SAMPLE',
  documents: 'Any other reason',
  returned: 'RETURN',
  other: 'Any other reason',
}

interface Product {
  Description: [string]
  Unit: { Number: string; UnitOfMeasurement: { Code: 'PCS' }; Value: string }
  PartNumber: string
  CommodityCode?: string
  OriginCountryCode?: string
}

/** One line as one product, or as two where its value does not divide by its pieces: 10.00 of 3 is 2 × 3.33 and 1 × 3.34. */
function productsOf({ description, quantity, hs_code, origin, value, sku }: ParcelLine, line_no: number): Product[] {
  if (!value || quantity < 1) return []
  const each = Math.floor(value.amount / quantity)
  const dearer = value.amount - each * quantity
  const product = (pieces: number, amount: number): Product => ({
    Description: [cutAtWord(description, 35)],
    Unit: { Number: String(pieces), UnitOfMeasurement: { Code: 'PCS' }, Value: fromMinor(amount, value.currency) },
    ...(hs_code && { CommodityCode: hs_code }),
    // Customs invoices of UPS need one.
    PartNumber: sku?.trim().slice(0, 35) || String(line_no),
    ...(origin && { OriginCountryCode: origin }),
  })
  return [...(dearer < quantity ? [product(quantity - dearer, each)] : []), ...(dearer > 0 ? [product(dearer, each + 1)] : [])]
}

const productsIn = (lines: readonly ParcelLine[]): Product[] => lines.flatMap((line, i) => productsOf(line, i + 1))

/** `soldTo` is the recipient as the shipment has it. */
export function invoiceBody({ customs, parcels, order_no, reference, ship_date }: BookingRequest, soldTo: object): object | null {
  if (!customs) return null
  const lines = parcels[0]?.lines ?? []
  return {
    FormType: ['01'],
    // A copy to print comes with the label, also where the account sends its invoices on its own.
    OverridePaperlessIndicator: '',
    InvoiceNumber: cutAtWord(order_no ?? reference, 35),
    InvoiceDate: ship_date.replaceAll('-', ''),
    ReasonForExport: reasons[customs.reason],
    CurrencyCode: lines.find(one => one.value)?.value?.currency ?? '',
    ...(customs.terms !== null && { TermsOfShipment: customs.terms }),
    Contacts: { SoldTo: soldTo },
    Product: productsIn(lines),
  }
}

/** The sender's registrations, of the shipment before those of the account. */
export function senderNumbers({ customs, parties, settings }: BookingRequest): object | null {
  if (!customs) return null
  const numbers = (['vat', 'eori'] as const).flatMap(kind => {
    const value = numberOf(customs, settings, kind)
    return value === '' ? [] : [registration(kind, value, parties.sender.country)]
  })
  return numbers.length > 0 ? { AgentTaxIdentificationNumber: [{ AgentRole: '20', TaxIdentificationNumber: numbers }] } : null
}

const numberOf = ({ numbers }: CustomsData, { vat_no = '', eori = '' }: Settings, kind: 'vat' | 'eori'): string =>
  numbers.find(one => one.kind === kind)?.value.trim() || (kind === 'vat' ? vat_no : eori).trim()

/** Of the exporter; the purpose of an EORI number is its own, and its type follows from that. */
const registration = (kind: 'vat' | 'eori', value: string, country: string): object => ({
  IdentificationNumber: value,
  IDNumberCustomerRole: '06',
  IDNumberEncryptionIndicator: '0',
  IDNumberIssuingCntryCd: /^[A-Z]{2}/.exec(value)?.[0] ?? country,
  IDNumberPurposeCode: kind === 'eori' ? '02' : '01',
  IDNumberTypeCode: kind === 'eori' ? '0002' : '0001',
})

/** What customs or UPS would refuse of the goods, line by line. */
export function customsFindings({ customs, parties, parcels, operation }: BookingDraft): Finding[] {
  const { sender, recipient } = parties
  if (!customs && !needsCustoms(sender, recipient)) return []
  // Returns have an invoice of another kind, of which UPS names no sum.
  if (operation === 'return')
    return [errorFinding('operation_not_offered', '{{courier}} does not offer this operation', 'operation', { courier: name })]
  if (!customs)
    return [errorFinding('customs_data_missing', 'A parcel to {{country}} needs customs data', 'customs', { country: recipient.country })]
  const lines = parcels[0]?.lines ?? []
  const findings = lines.flatMap((line, i) => lineFindings(line, `parcels.0.lines.${i}`))
  if (lines.length === 0)
    findings.push(errorFinding('customs_lines_missing', 'Customs need to know what the parcel holds. Enter its goods.', 'parcels.0.lines'))
  if (new Set(lines.flatMap(one => one.value?.currency ?? [])).size > 1)
    findings.push(errorFinding('field_invalid', 'All lines of a customs invoice must be in one currency', 'parcels.0.lines'))
  if (productsIn(lines).length > mostProducts)
    findings.push(
      errorFinding('too_many_customs_lines', '{{courier}} takes {{limit}} customs lines per parcel at most', 'parcels', {
        courier: name,
        limit: mostProducts,
      }),
    )
  if (customs.terms !== null && !terms.includes(customs.terms))
    findings.push(
      errorFinding('field_invalid', '{{courier}} takes these terms of trade: {{terms}}', 'customs.terms', {
        courier: name,
        terms: terms.join(', '),
      }),
    )
  return findings
}

function lineFindings({ description, quantity, value, hs_code }: ParcelLine, path: string): Finding[] {
  const findings: Finding[] = []
  if (description.trim() === '') findings.push(errorFinding('line_description_missing', 'Say what this line holds', `${path}.description`))
  // No piece may cost nothing.
  if (!value || value.amount < quantity)
    findings.push(errorFinding('line_value_missing', 'Customs need the value of these goods', `${path}.value`))
  if (hs_code !== null && !/^\d{6,11}$/.test(hs_code))
    findings.push(errorFinding('hs_code_invalid', 'A tariff number has 6 to 11 digits', `${path}.hs_code`))
  return findings
}
