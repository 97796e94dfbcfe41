/** GS1 numbers: check digits, SSCC, application identifiers, and parsing of scanner output. Source: GS1 General Specifications. */

/** FNC1 as scanners send it. */
const GROUP_SEPARATOR = '\x1d'

/** The check digit of GTIN, GLN and SSCC bodies: from the right, weights 3, 1, 3, 1 … */
export function gs1CheckDigit(body: string): number {
  let sum = 0
  for (let i = 0; i < body.length; i++) sum += (body.charCodeAt(body.length - 1 - i) - 48) * (i % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}

/** Explains what is wrong with a GS1 company prefix, or returns null for a valid one. */
export function gs1PrefixFault(prefix: string): string | null {
  return /^\d{7,10}$/.test(prefix) ? null : 'A GS1 company prefix has 7 to 10 digits'
}

/** Number of serial numbers per extension digit under this prefix. */
export function ssccCapacity(prefix: string): number {
  return 10 ** (16 - prefix.length)
}

/** SSCC, 18 digits: extension digit, company prefix, serial, check digit. Throws a RangeError when a part does not fit. */
export function sscc(prefix: string, extension: number, serial: number): string {
  const fault = gs1PrefixFault(prefix)
  if (fault) throw new RangeError(fault)
  if (!Number.isInteger(extension) || extension < 0 || extension > 9) throw new RangeError('The extension of an SSCC is one digit')
  if (!Number.isSafeInteger(serial) || serial < 0 || serial >= ssccCapacity(prefix)) {
    throw new RangeError(`The serial of an SSCC under this prefix has at most ${16 - prefix.length} digits`)
  }
  const body = `${extension}${prefix}${String(serial).padStart(16 - prefix.length, '0')}`
  return `${body}${gs1CheckDigit(body)}`
}

/** 8, 12, 13 or 14 digits with the right check digit. */
export const isGtin = (text: string): boolean =>
  /^(\d{8}|\d{12,14})$/.test(text) && gs1CheckDigit(text.slice(0, -1)) === Number(text.at(-1))

export function isSscc(text: string): boolean {
  return /^\d{18}$/.test(text) && gs1CheckDigit(text.slice(0, 17)) === Number(text[17])
}

/** Identifiers whose value has a fixed length, by their first two digits: no separator follows them. */
const FIXED = new Set(['00', '01', '02', '03', '04', '11', '12', '13', '14', '15', '16', '17', '18', '19', '20'])
const FIXED_LONG = new Set(['31', '32', '33', '34', '35', '36', '41'])

/** The encoded data: identifiers and values without brackets, a separator after each value of variable length that is not last. */
export function gs1Data(elements: readonly (readonly [ai: string, value: string])[]): string {
  return elements
    .map(([ai, value], i) => {
      const start = ai.slice(0, 2)
      const open = i < elements.length - 1 && !FIXED.has(start) && !FIXED_LONG.has(start)
      return `${ai}${value}${open ? GROUP_SEPARATOR : ''}`
    })
    .join('')
}

/** The human-readable text: identifiers in brackets, which are never encoded. */
export function gs1Text(elements: readonly (readonly [ai: string, value: string])[]): string {
  return elements.map(([ai, value]) => `(${ai})${value}`).join('')
}

/**
 * The encoded content of a scanned barcode: without the AIM identifier that some scanners send (`]C1`, `]C0`, `]Q3` …),
 * without FNC1 at the start, without brackets around application identifiers, trimmed.
 */
export function scannedData(scan: string): string {
  let text = scan.trim().replace(/^\][A-Za-z][0-9A-Za-z]/, '')
  while (text.startsWith(GROUP_SEPARATOR)) text = text.slice(1)
  if (/^\(\d{2,4}\)/.test(text)) text = text.replace(/\((\d{2,4})\)/g, '$1').replaceAll(' ', '')
  return text.trim()
}

/** The parcel's number in a scan of its label: 18 digits for an SSCC, with or without `(00)` before it; otherwise the content itself. */
export function scannedNumber(scan: string): string {
  const data = scannedData(scan)
  const digits = data.replaceAll(' ', '')
  return /^00\d{18}$/.test(digits) && isSscc(digits.slice(2)) ? digits.slice(2) : isSscc(digits) ? digits : data
}
