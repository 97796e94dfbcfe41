/** Warnings that are computed at import, so that they are fixed before packing. */
import { needsCustoms } from '#domain/customs/places.ts'
import type { ImportedLine, ImportedOrder } from './canonical-order-checks.ts'
import { plainPostcode } from './postcodes.ts'

export interface Badge {
  kind: 'address' | 'phone' | 'email' | 'postcode' | 'weight' | 'customs' | 'duplicate'
  severity: 'ok' | 'warning' | 'error'
  /** A sentence with placeholders: the translation key. */
  text: string
  values: Record<string, string | number>
}

const badgeSentences = {
  address: 'The address is complete',
  noName: 'The address has no name',
  noStreet: 'The address has no street',
  noCity: 'The address has no city',
  noStreetNumber: 'The street has no house number',
  phone: 'The phone number can be dialled',
  noPhone: 'There is no phone number: the courier cannot announce the delivery',
  badPhone: '{{phone}} is not a phone number of {{country}}',
  email: 'The e-mail address is well formed',
  noEmail: 'There is no e-mail address: the recipient cannot be told about the parcel',
  badEmail: '{{email}} is not an e-mail address',
  postcode: 'The postcode looks right',
  noPostcode: 'The address has no postcode',
  badPostcode: '{{postcode}} does not look like a postcode of {{country}}',
  freePostcode: 'No postcode is needed in {{country}}',
  weight: 'The weight of every product is known',
  noWeight: 'The weight of {{count}} of {{total}} products is not known',
  nothing: 'There is nothing to ship',
  customs: 'The customs data are complete',
  inside: 'No customs papers are needed',
  noTariff: '{{count}} of {{total}} products have no tariff code of at least 6 digits',
  noOrigin: '{{count}} of {{total}} products have no country of origin',
  noValue: '{{count}} of {{total}} products have no value',
  noPhoneAbroad: 'Customs need a phone number or an e-mail address of the recipient',
} as const

const duplicateSentences = {
  file: 'Order {{order_no}} came in a file already: this may be the same order',
  other: 'Order {{order_no}} came from {{source}} already: this may be the same order',
} as const
const sourceNames: Record<string, string> = { api: 'API', shopify: 'Shopify', woocommerce: 'WooCommerce' }
/** By what an order came, as people call it. */
export const sourceName = (source: string): string => sourceNames[source] ?? source

/** The mark of an order whose number or id came in another way before. */
export const duplicateBadge = ({ order_no, source }: { order_no: string; source: string }): Badge => ({
  kind: 'duplicate',
  severity: 'warning',
  text: source === 'csv' ? duplicateSentences.file : duplicateSentences.other,
  values: { order_no, ...(source !== 'csv' && { source: sourceName(source) }) },
})

/** Countries whose streets have house numbers: a street without one is probably a mistake. */
const numbered = new Set('AT BE CH CZ DE DK EE ES FI FR HU IT LI LU NL NO PL PT SE SI SK'.split(' '))
/** Countries without postcodes, or where few people use theirs. */
const unpostcoded = new Set(
  'AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GA GD GH GM GQ GY HK IE JM KI KM KN KP LC ML MO MR MW NR NU PA QA RW SB SC SL SR ST SX SY TD TG TK TL TO TV TZ UG VU WS YE ZW'.split(
    ' ',
  ),
)
/** Whether an address in this country is complete without a postcode. */
export const needsNoPostcode = (country: string): boolean => unpostcoded.has(country)
const emailShape = /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@.<>",;]{2,}$/

/** The lines that go into a parcel. */
/** A part of a bundle has its share of the price that stands on the bundle, or on that of which the bundle is a part. */
function hasValue(line: ImportedLine, lines: readonly ImportedLine[], depth = 2): boolean {
  if (line.unit_price_excl_vat || line.unit_price_incl_vat) return true
  const bundle = depth > 0 && line.bundle_of !== null ? lines.find(one => one.external_id === line.bundle_of) : undefined
  return bundle !== undefined && hasValue(bundle, lines, depth - 1)
}

export const shipped = (order: Pick<ImportedOrder, 'lines'>): ImportedLine[] =>
  order.lines.filter(line => line.type === 'item' && line.requires_shipping)

/**
 * One warning of each kind, with its most severe finding.
 * A postcode that does not match its pattern is only a warning, because such lists age.
 * Patterns: postcode-validator; calling codes and lengths: libphonenumber.
 */
export function badges(
  order: ImportedOrder,
  { from = { country: 'DK' } }: { from?: { country: string; postcode?: string } } = {},
): Badge[] {
  const { ship_to } = order
  const { country } = ship_to
  const items = shipped(order)
  const total = items.length
  const badge = (kind: Badge['kind'], severity: Badge['severity'], text: string, values: Badge['values'] = {}): Badge => ({
    kind,
    severity,
    text,
    values,
  })
  const say = badgeSentences

  const address = (): Badge => {
    if (ship_to.name === '' && !ship_to.company) return badge('address', 'error', say.noName)
    if (ship_to.address1 === '') return badge('address', 'error', say.noStreet)
    if (ship_to.city === '') return badge('address', 'error', say.noCity)
    if (numbered.has(country) && !/\d/.test(ship_to.address1 + (ship_to.address2 ?? '')))
      return badge('address', 'warning', say.noStreetNumber)
    return badge('address', 'ok', say.address)
  }
  const phone = (): Badge => {
    if (ship_to.phone) return badge('phone', 'ok', say.phone)
    return ship_to.phone_raw
      ? badge('phone', 'warning', say.badPhone, { phone: ship_to.phone_raw, country })
      : badge('phone', 'warning', say.noPhone)
  }
  const email = (): Badge => {
    const written = ship_to.email ?? order.customer.email
    if (!written) return badge('email', 'warning', say.noEmail)
    return emailShape.test(written) ? badge('email', 'ok', say.email) : badge('email', 'warning', say.badEmail, { email: written })
  }
  const postcode = (): Badge => {
    if (ship_to.postcode === '') {
      return needsNoPostcode(country) ? badge('postcode', 'ok', say.freePostcode, { country }) : badge('postcode', 'error', say.noPostcode)
    }
    if (plainPostcode(ship_to.postcode, country).fits !== false) return badge('postcode', 'ok', say.postcode)
    return badge('postcode', 'warning', say.badPostcode, { postcode: ship_to.postcode, country })
  }
  const weight = (): Badge => {
    if (total === 0) return badge('weight', 'warning', say.nothing)
    const count = items.filter(line => !line.weight_g).length
    return count === 0 ? badge('weight', 'ok', say.weight) : badge('weight', 'warning', say.noWeight, { count, total })
  }
  const customs = (): Badge => {
    if (!needsCustoms(from, ship_to)) return badge('customs', 'ok', say.inside)
    const without = (lacks: (line: ImportedLine) => boolean) => items.filter(lacks).length
    const noTariff = without(line => (line.hs_code?.length ?? 0) < 6)
    if (noTariff > 0) return badge('customs', 'error', say.noTariff, { count: noTariff, total })
    const noOrigin = without(line => !line.origin)
    if (noOrigin > 0) return badge('customs', 'error', say.noOrigin, { count: noOrigin, total })
    const noValue = without(line => !hasValue(line, order.lines))
    if (noValue > 0) return badge('customs', 'error', say.noValue, { count: noValue, total })
    if (!ship_to.phone && !ship_to.email && !order.customer.email) return badge('customs', 'warning', say.noPhoneAbroad)
    return badge('customs', 'ok', say.customs)
  }
  return [address(), phone(), email(), postcode(), weight(), customs()]
}
