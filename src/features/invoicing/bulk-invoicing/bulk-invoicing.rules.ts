/** What a configuration needs before it can be switched on. */
import { isEori, isRegistrationNumber } from '#domain/customs/registration-numbers.ts'

export interface CheckedParty {
  name: string
  address1: string
  postcode: string
  city: string
  country: string
  vat_no: string
  eori: string
}

/** What of a party is missing or has the wrong form: names of its fields. */
function partyGaps(party: CheckedParty): string[] {
  const empty = (['name', 'address1', 'postcode', 'city', 'country'] as const).filter(field => party[field] === '')
  const wrong = party.country !== '' && !isRegistrationNumber(party.country, party.vat_no)
  return [...empty, ...(wrong ? ['vat_no'] : []), ...(party.eori !== '' && !isEori(party.eori) ? ['eori'] : [])]
}

/** Paths of what is missing: `importer.vat_no`. */
export const configGaps = (config: { importer: CheckedParty; exporter: CheckedParty }): string[] =>
  (['importer', 'exporter'] as const).flatMap(role => partyGaps(config[role]).map(field => `${role}.${field}`))
