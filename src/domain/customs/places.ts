/** Where a place lies for customs and VAT; a country's postcodes may lie apart from the country. */

export interface Place {
  country: string
  postcode?: string
  city?: string
}

/** `union`: inside the customs territory of the European Union; `vat`: inside its VAT area. */
interface Standing {
  union: boolean
  vat: boolean
}

const standings = {
  EU: { union: true, vat: true },
  AX: { union: true, vat: false },
  IC: { union: true, vat: false },
  XC: { union: false, vat: false },
  XL: { union: false, vat: false },
  LIVIGNO: { union: false, vat: false },
  CAMPIONE: { union: true, vat: false },
  SM: { union: true, vat: false },
  VA: { union: false, vat: false },
  HELIGOLAND: { union: false, vat: false },
  ATHOS: { union: true, vat: false },
  FR_OVERSEAS: { union: true, vat: false },
  FR_TERRITORY: { union: false, vat: false },
  FO: { union: false, vat: false },
  GL: { union: false, vat: false },
  // The Windsor framework: goods follow the rules of the Union.
  XI: { union: true, vat: true },
  GB: { union: false, vat: false },
  JE: { union: false, vat: false },
  GG: { union: false, vat: false },
  NO: { union: false, vat: false },
  SJ: { union: false, vat: false },
  // With Liechtenstein and Büsingen.
  CH: { union: false, vat: false },
  US: { union: false, vat: false },
  THIRD: { union: false, vat: false },
} as const satisfies Record<string, Standing>
export type Area = keyof typeof standings

const members = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK MC'.split(' '))

/** Whole countries that are no member states. */
const byCountry: Partial<Record<string, Area>> = {
  AX: 'AX',
  IC: 'IC',
  SM: 'SM',
  VA: 'VA',
  FO: 'FO',
  GL: 'GL',
  GB: 'GB',
  IM: 'GB',
  JE: 'JE',
  GG: 'GG',
  NO: 'NO',
  SJ: 'SJ',
  CH: 'CH',
  LI: 'CH',
  US: 'US',
  ...Object.fromEntries(['GP', 'MQ', 'GF', 'RE', 'YT', 'MF'].map(code => [code, 'FR_OVERSEAS'])),
  ...Object.fromEntries(['BL', 'PM', 'PF', 'NC', 'WF'].map(code => [code, 'FR_TERRITORY'])),
}

/**
 * Parts of countries, the first that fits. Council Directive 2006/112/EC, article 6; Regulation (EU) 952/2013, article 4; the
 * Commission’s page on the territorial status of EU countries.
 */
const apart: readonly { country: string; postcode?: RegExp; city?: RegExp; area: Area }[] = [
  { country: 'FI', postcode: /^22\d{3}$/, area: 'AX' },
  { country: 'ES', postcode: /^(35|38)\d{3}$/, area: 'IC' },
  { country: 'ES', postcode: /^51\d{3}$/, area: 'XC' },
  { country: 'ES', postcode: /^52\d{3}$/, area: 'XL' },
  { country: 'IT', postcode: /^23041$/, area: 'LIVIGNO' },
  { country: 'IT', city: /^livigno$/i, area: 'LIVIGNO' },
  { country: 'IT', postcode: /^2206[12]$/, area: 'CAMPIONE' },
  { country: 'IT', city: /^campione d.italia$/i, area: 'CAMPIONE' },
  { country: 'IT', postcode: /^4789\d$/, area: 'SM' },
  { country: 'IT', postcode: /^00120$/, area: 'VA' },
  { country: 'DE', postcode: /^78266$/, area: 'CH' },
  { country: 'DE', postcode: /^27498$/, area: 'HELIGOLAND' },
  { country: 'GR', postcode: /^63086$/, area: 'ATHOS' },
  { country: 'GR', city: /^(mount athos|agion oros)$/i, area: 'ATHOS' },
  { country: 'FR', postcode: /^(97133|975\d\d|98[678]\d\d)$/, area: 'FR_TERRITORY' },
  { country: 'FR', postcode: /^97[12346]\d\d$/, area: 'FR_OVERSEAS' },
  { country: 'DK', postcode: /^39\d\d$/, area: 'GL' },
  { country: 'GB', postcode: /^BT/, area: 'XI' },
  { country: 'NO', postcode: /^917\d$/, area: 'SJ' },
]

/** Without blanks and without a country’s letters: `FO-100`, `DK-3900`. */
const bare = (postcode: string | undefined): string =>
  (postcode ?? '')
    .toUpperCase()
    .replace(/\s/g, '')
    .replace(/^[A-Z]{2}-(?=\d)/, '')

export function areaOf({ country, postcode, city }: Place): Area {
  const code = bare(postcode)
  const part = apart.find(
    one => one.country === country && (one.postcode?.test(code) ?? true) && (one.city?.test((city ?? '').trim()) ?? true),
  )
  return part?.area ?? byCountry[country] ?? (members.has(country) ? 'EU' : 'THIRD')
}

export const standingOf = (area: Area): Standing => standings[area]

/** Whether two places lie in one area; countries without rules of their own are one each. */
export function sameArea(from: Place, to: Place): boolean {
  const [one, other] = [areaOf(from), areaOf(to)]
  return one === other && (one !== 'THIRD' || from.country === to.country)
}

/** Whether a parcel between two places needs customs papers: not inside one area, and not between the Union and Northern Ireland. */
export function needsCustoms(from: Place, to: Place): boolean {
  if (sameArea(from, to)) return false
  const [one, other] = [standingOf(areaOf(from)), standingOf(areaOf(to))]
  return !(one.union && one.vat && other.union && other.vat)
}
