/** How PostNord writes names, streets, postcodes and phone numbers, and by which of its companies a customer is served. */

import { plainPostcode } from '#domain/order/postcodes.ts'
import type { Party } from '#domain/party.ts'
import { cutAtWord, partyName } from '../request-parts.ts'

export const name = 'PostNord'

/** With which company of the group the customer has its agreement. */
export const issuers = { Z11: 'DK', Z12: 'SE', Z13: 'NO', Z14: 'FI' } as const
export type Issuer = keyof typeof issuers

export type Settings = Record<string, string>

const isIssuer = (code: string): code is Issuer => Object.hasOwn(issuers, code)
export const issuerOf = ({ issuer = '' }: Settings): Issuer => (isIssuer(issuer) ? issuer : 'Z11')

export const digitsOf = (phone: string | null): string => phone?.replace(/[^+\d]/g, '') ?? ''

/** PostNord writes Swedish postcodes without the space. */
export function postcodeOf(written: string, country: string): string {
  const { postcode } = plainPostcode(written, country)
  return country === 'SE' ? postcode.replaceAll(' ', '') : postcode
}

export const streetsOf = ({ address1, address2 }: Party): string[] =>
  [address1, address2 ?? ''].filter(line => line.trim()).map(line => cutAtWord(line, 50))

export const personOf = (party: Party): string => party.attention?.trim() || party.name.trim() || partyName(party)
