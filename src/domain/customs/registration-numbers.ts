/** Forms of registration numbers on customs papers. */

/** The check digit of Norway's organisation numbers, modulo 11. */
function isOrganisationNumber(digits: string): boolean {
  const weights = [3, 2, 7, 6, 5, 4, 3, 2]
  const sum = weights.reduce((total, weight, i) => total + weight * Number(digits[i]), 0)
  const check = (11 - (sum % 11)) % 11
  return check < 10 && check === Number(digits[8])
}

const forms: Record<string, RegExp> = {
  DK: /^DK\d{8}$/,
  GB: /^(GB|XI)(\d{9}|\d{12})$/,
  CH: /^CHE\d{9}(MWST|TVA|IVA)?$/,
}

/** Without what people write between its parts. */
export const plainNumber = (written: string): string => written.toUpperCase().replace(/[\s.-]/g, '')

/** Whether a VAT or organisation number has the form of its country. */
export function isRegistrationNumber(country: string, written: string): boolean {
  const number = plainNumber(written)
  if (country === 'NO') return /^(NO)?\d{9}(MVA)?$/.test(number) && isOrganisationNumber(number.replace(/^NO/, '').slice(0, 9))
  return (forms[country] ?? /^[A-Z]{2}[A-Z0-9]{2,15}$/).test(number)
}

export function isEori(written: string): boolean {
  const number = plainNumber(written)
  return number.startsWith('GB') ? /^GB(\d{12}|\d{15})$/.test(number) : /^[A-Z]{2}[A-Z0-9]{1,15}$/.test(number)
}

/** Sellers outside the Union who charge its VAT at the sale: `IM` and ten digits. */
const isIoss = (written: string): boolean => /^IM\d{10}$/.test(plainNumber(written))

/** Sellers abroad who charge Norwegian VAT at the sale: seven digits, the first of them 2. */
const isVoec = (written: string): boolean => /^2\d{6}$/.test(plainNumber(written))

export function hasForm(kind: 'vat' | 'eori' | 'ioss' | 'voec', country: string, written: string): boolean {
  if (kind === 'vat') return isRegistrationNumber(country, written)
  return kind === 'eori' ? isEori(written) : kind === 'ioss' ? isIoss(written) : isVoec(written)
}
