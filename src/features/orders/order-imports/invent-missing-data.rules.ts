/** Invented addresses, barcodes, bins and weights for order files that have none: visibly invented, and the same for the same order every time. */

/** FNV-1a, 32 bits: spreads neighbouring order numbers, and gives the same on every machine. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash ^= text.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}

/** Reproducible numbers from a text: mulberry32. */
function dice(text: string): (sides: number) => number {
  let state = seedOf(text)
  return sides => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

/** `#` is any digit, `1`…`9` stand for themselves. Each pattern fits its country; the British one is the area that its health service keeps for people without an address. */
const postcodes: Record<string, string> = {
  GB: 'ZZ99 #ZZ',
  DK: '5#00',
  NO: '01##',
  SE: '123 4#',
  FI: '005#0',
  IS: '10#',
  FO: '10#',
  GL: '3900',
  DE: '101##',
  NL: '10## AA',
  BE: '10##',
  LU: '12##',
  FR: '750##',
  ES: '280##',
  PT: '1000-0##',
  IT: '001##',
  AT: '10##',
  CH: '80##',
  LI: '9490',
  IE: 'D02 X2#5',
  PL: '00-9##',
  CZ: '110 0#',
  SK: '811 0#',
  HU: '10##',
  SI: '10##',
  HR: '100##',
  RO: '0100##',
  BG: '10##',
  GR: '104 3#',
  EE: '101##',
  LV: 'LV-10##',
  LT: 'LT-011##',
  CY: '10##',
  MT: 'VLT 11##',
  US: '100##',
  CA: 'K1A 0B#',
  AU: '20##',
  NZ: '10##',
  JP: '100-00##',
  SG: '0186##',
  IL: '91#####',
  BR: '01310-1##',
  ZA: '80##',
  SA: '11###',
}

/** Numbers that regulators keep out of use for stories: Ofcom 07700 900xxx, NANP 555-01xx, Arcep 06 39 98 xx xx, PTS 070-174 06 05 to 99, ACMA 0491 570 156. Elsewhere no one's telephone may ring. */
const phones: Record<string, (roll: (sides: number) => number) => string> = {
  GB: roll => `+447700900${String(roll(1000)).padStart(3, '0')}`,
  US: roll => `+120255501${String(roll(100)).padStart(2, '0')}`,
  CA: roll => `+161355501${String(roll(100)).padStart(2, '0')}`,
  FR: roll => `+33639980${String(roll(1000)).padStart(3, '0')}`,
  SE: roll => `+467017406${String(5 + roll(95)).padStart(2, '0')}`,
  AU: () => '+61491570156',
}

export interface InventedAddress {
  name: string
  address1: string
  postcode: string
  city: string
  phone: string | null
  email: string
}

/** `'536365', 'GB'` → Sample Customer 536365, Sample Street 12, … The e-mail address ends in `.test`, which never leads anywhere (RFC 2606). */
export function inventAddress(orderNo: string, country: string): InventedAddress {
  const roll = dice(`${country} ${orderNo}`)
  return {
    name: `Sample Customer ${orderNo}`.slice(0, 120),
    address1: `Sample Street ${1 + roll(199)}`,
    postcode: (postcodes[country] ?? '').replace(/#/g, () => String(roll(10))),
    city: 'Sampleton',
    phone: phones[country]?.(roll) ?? null,
    email: `order-${
      orderNo
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 60) || 'x'
    }@example.test`,
  }
}

export interface InventedProduct {
  /** EAN-13 that begins with 2: GS1 leaves these to shops for their own use, so it names no one's product. */
  barcode: string
  bin: string
  weight_g: number
}

/** The check digit of a GS1 number, for the digits before it. */
export function checkDigit(digits: string): string {
  let sum = 0
  for (let at = 0; at < digits.length; at++) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1)
  return String((10 - (sum % 10)) % 10)
}

/** The same for every spelling of the SKU: `85123a` and `85123A` are one product. */
export function inventProduct(sku: string): InventedProduct {
  const key = sku.trim().toUpperCase()
  const roll = dice(key)
  let digits = '2'
  while (digits.length < 12) digits += String(roll(10))
  return {
    barcode: digits + checkDigit(digits),
    bin: `${'ABCDEFGH'[roll(8)]}-${String(1 + roll(20)).padStart(2, '0')}-${1 + roll(5)}`,
    weight_g: 20 + roll(98) * 10,
  }
}
