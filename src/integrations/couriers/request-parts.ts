/** What most couriers want in the same form: names, units, and texts of a limited length. */

import { plainPostcode } from '#domain/order/postcodes.ts'
import type { Party } from '#domain/party.ts'
import { errorFinding } from './capabilities.ts'
import type { BookingDraft, BookingRequest, Finding, Method, PickupRequest } from './courier.ts'

export const kilograms = (weight_g: number): number => weight_g / 1_000
/** Kilograms in steps of 100 g, the next step up. */
export const hundredGrams = (weight_g: number): number => Math.ceil(weight_g / 100) / 10
/** Whole centimetres, rounded up. */
export const centimetres = (mm: number): number => Math.ceil(mm / 10)

/** Addresses there have a state, which ours do not. */
export const withStates: readonly string[] = ['US', 'CA']

/** A method that goes to the address of the recipient, wherever it is, and has no services of its own. */
export const toAddress = (code: string, name: string, max_weight_g: number, countries: Method['countries'] = 'all'): Method => ({
  code,
  name,
  service_point: 'none',
  max_weight_g,
  countries,
  services: [],
})

const filled = (text: string | null): string | null => text?.trim() || null

/** The company where there is one, else the person. */
export const partyName = ({ company, name }: Party): string => filled(company) ?? name.trim()

/** The person to ask for; null where the party's name says it already. */
export const contactName = (party: Party): string | null => {
  const person = filled(party.attention) ?? filled(party.name)
  return person === partyName(party) ? null : person
}

/** Both lines of the street address as one. */
export const streetOf = ({ address1, address2 }: Party): string => [address1.trim(), filled(address2)].filter(Boolean).join(', ')

/** The text up to `limit` letters, cut between words where one ends in its second half. */
export function cutAtWord(text: string, limit: number): string {
  const letters = [...text.trim()]
  if (letters.length <= limit) return letters.join('')
  const cut = letters.slice(0, limit).join('')
  const end = cut.lastIndexOf(' ')
  return (end > cut.length / 2 ? cut.slice(0, end) : cut).trim()
}

type LimitedField = 'name' | 'company' | 'address1' | 'address2' | 'city' | 'instruction'

/** Warnings for texts of the recipient of which the courier takes only the start. */
export function lengthFindings(courier: string, { parties }: BookingDraft, limits: Partial<Record<LimitedField, number>>): Finding[] {
  return Object.entries(limits).flatMap(([field, limit]): Finding[] => {
    const text = Reflect.get(parties.recipient, field)
    if (typeof text !== 'string' || [...text.trim()].length <= limit) return []
    return [
      {
        code: null,
        field: `recipient.${field}`,
        severity: 'warning',
        text: '{{courier}} takes only the first {{limit}} letters',
        values: { courier, limit },
      },
    ]
  })
}

const parts = {
  'recipient.name': ['recipient_name_missing', 'The recipient has no name'],
  'recipient.address1': ['recipient_address_missing', 'The recipient has no address'],
  'recipient.city': ['recipient_city_missing', 'The recipient has no city'],
  'sender.name': ['sender_name_missing', 'The sender has no name'],
  'sender.address1': ['sender_address_missing', 'The sender has no address'],
} as const
type Part = keyof typeof parts

/** Parts of addresses that the courier needs and that are blank. */
export function missingParts({ parties }: Pick<BookingDraft, 'parties'>, needed: readonly Part[]): Finding[] {
  const written = {
    'recipient.name': partyName(parties.recipient),
    'recipient.address1': parties.recipient.address1.trim(),
    'recipient.city': parties.recipient.city.trim(),
    'sender.name': partyName(parties.sender),
    'sender.address1': parties.sender.address1.trim(),
  }
  return needed.flatMap(part => (written[part] === '' ? [errorFinding(parts[part][0], parts[part][1], part)] : []))
}

/** A shop was chosen, and the method goes to the address. */
export const notToShop = (method: string): Finding => ({
  code: null,
  field: 'service_point',
  severity: 'warning',
  text: '{{method}} brings the parcel to the address, not to the parcel shop',
  values: { method },
})

/** Warnings for postcodes that do not look like one of their country. */
export function postcodeFindings(
  { parties }: BookingDraft,
  roles: readonly ('sender' | 'recipient')[] = ['sender', 'recipient'],
): Finding[] {
  return roles.flatMap((role): Finding[] => {
    const { country } = parties[role]
    const { postcode, fits } = plainPostcode(parties[role].postcode, country)
    if (fits !== false) return []
    const text = postcode === '' ? 'The postcode is missing' : 'The postcode {{postcode}} does not look like one of {{country}}'
    return [{ code: null, field: `${role}.postcode`, severity: 'warning', text, values: { postcode, country } }]
  })
}

/** A pickup as the record keeps it: the settings hold keys. */
export const recordedPickup = ({ settings: _settings, ...request }: PickupRequest): object => request

export const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-'

/** The request as the record keeps it: the settings hold keys, and the tracking link is the recipient's own. */
export function recordedRequest({ settings: _settings, tracking_url: _link, account_method: _method, ...request }: BookingRequest): object {
  return request
}
