/** What most couriers want in the same form: names, units, and texts of a limited length. */
import type { Party } from '#domain/party.ts'
import type { BookingDraft, BookingRequest, Finding, PickupRequest } from './courier.ts'
import { plainPostcode } from './postcodes.ts'

export const kilograms = (weight_g: number): number => weight_g / 1_000
/** Whole centimetres, rounded up. */
export const centimetres = (mm: number): number => Math.ceil(mm / 10)

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
