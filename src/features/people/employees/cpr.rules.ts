/** CPR, the Danish social security number: its form, the date in it, and its check digit. */

/** What stands in place of a number that is kept; no digit of it is shown. */
export const maskedCpr = '••••••-••••'

/** The ten digits of what was typed, with or without hyphen; null when it cannot be a CPR number. */
export const cprDigits = (typed: string): string | null => {
  const digits = typed.replace(/[\s-]/g, '')
  return /^\d{10}$/.test(digits) ? digits : null
}

export const showCpr = (digits: string): string => `${digits.slice(0, 6)}-${digits.slice(6)}`

/** The century follows from the seventh digit and the year: https://cpr.dk/cpr-systemet/opbygning-af-cpr-nummeret */
const centuryOf = (seventh: number, year: number): number => {
  if (seventh <= 3) return 1900
  if (seventh === 4 || seventh === 9) return year <= 36 ? 2000 : 1900
  return year <= 57 ? 2000 : 1800
}

/** The date of birth in ten digits; null where the calendar has no such day. */
export function cprBirthDate(digits: string): string | null {
  const part = (from: number, to: number) => Number(digits.slice(from, to))
  const [day, month, year] = [part(0, 2), part(2, 4), part(4, 6)]
  const full = centuryOf(part(6, 7), year) + year
  const date = new Date(Date.UTC(full, month - 1, day))
  if (date.getUTCFullYear() !== full || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  return date.toISOString().slice(0, 10)
}

const weights = [4, 3, 2, 7, 6, 5, 4, 3, 2, 1]

/** Whether the weighted sum is a multiple of eleven. Numbers issued since October 2007 may lack it, so this is a hint and no rule. */
export const hasCheckDigit = (digits: string): boolean =>
  weights.reduce((sum, weight, place) => sum + weight * Number(digits.charAt(place)), 0) % 11 === 0
