/** Parsing of dates in files: in the file's order of day, month and year, and in the shop's time zone. */
import { TZDate } from '@date-fns/tz'
import * as z from 'zod'
import { valueAt } from '#domain/objects.ts'
import { cellText } from './csv-text.ts'

/** The order of year, month and day in a date; dots, dashes, slashes and spaces between them are equivalent. `iso` may have an offset. */
export const DateOrder = z.enum(['iso', 'ymd', 'dmy', 'mdy'])
export type DateOrder = z.infer<typeof DateOrder>

interface WallTime {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const numericDate =
  /^(\d{1,4})(?:[-/ ]|\. ?)(\d{1,2})(?:[-/ ]|\. ?)(\d{1,4})\.?(?:[T, ]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?)?$/i
const denseDate = /^(\d{4})(\d{2})(\d{2})$/
const offsetDate = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)? ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)$/
/** The offset behind a time that is written in another order: `10/11/2026 10:30 +0100`. */
const trailingOffset =
  /^(.*\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s*[ap]\.?m\.?)?)\s*(?:\(?(?:UTC|GMT)\)?\s*)?([+-])(\d{2}):?(\d{2})(?:\s*\([^)]*\))?$|^(.*\d{1,2}:\d{2}(?::\d{2})?)\s*(?:Z|UTC|GMT)$/i

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const daysIn = (year: number, month: number): number =>
  month === 2 && ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0) ? 29 : (monthLengths[month - 1] ?? 0)

/** The first letters of the months in the languages of Europe's shops, without accents; `mar` and `mai` are in several. */
const monthNames: readonly RegExp[] = [
  /^(jan|janv)/,
  /^(feb|fev|fevr)/,
  /^(mar|maer|mrz|mrt|maa)/,
  /^(apr|avr|abr)/,
  /^(maj|may|mai|mei|mag)/,
  /^(jun|juin|giu)/,
  /^(jul|juil|lug)/,
  /^(aug|aou|ago)/,
  /^(sep|set)/,
  /^(oct|okt|ott)/,
  /^(nov)/,
  /^(dec|des|dez|dic)/,
]
const monthOf = (name: string): number => {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return monthNames.findIndex(pattern => pattern.test(plain)) + 1
}
const timeOfDay = String.raw`(?:[T,]?\s*(?:kl\.?|at|um|\u00b7|-)?\s*(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?(?:\s*(?:uhr|h))?)?`
const weekday = String.raw`^(?:\p{L}{2,10}\.?,?\s+(?:(?:den|der|d\.)\s+)?)?`
/** `10. november 2026 kl. 10.30`, `Tue, 10-Nov-2026 10:30`. */
const dayMonthName = new RegExp(
  String.raw`${weekday}(\d{1,2})\.?(?:st|nd|rd|th)?[ -]*(?:of )?(\p{L}{3,9})\.?,?[ -]*(\d{4}|\d{2})${timeOfDay}$`,
  'iu',
)
/** `Nov 10, 2026 10:30 AM`. */
const monthNameDay = new RegExp(String.raw`${weekday}(\p{L}{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${timeOfDay}$`, 'iu')

/** `Nov-10-26`, as marketplaces write it: the day between the name of the month and the year. */
const monthNameDashed = new RegExp(String.raw`^(\p{L}{3,9})-(\d{1,2})-(\d{4}|\d{2})${timeOfDay}$`, 'iu')

/** A date whose month is a name can be read in one way only: written day first, it comes out with the month as a number. */
function withoutMonthName(text: string, order: DateOrder): string | null {
  const day = dayMonthName.exec(text)
  const month = day ? null : (monthNameDay.exec(text) ?? monthNameDashed.exec(text))
  const parts = day ?? month
  if (!parts) return null
  const [, first = '', second = '', year = '', hours, minutes, seconds, half] = parts
  const number = monthOf(day ? second : first)
  if (number === 0) return null
  // `10-Nov-26` begins with the day where the other dates do.
  if (day && year.length === 2 && order !== 'dmy') return null
  const time = hours === undefined ? '' : ` ${hours}:${minutes}${seconds ? `:${seconds}` : ''}${half ? ` ${half}` : ''}`
  return `${year.length === 2 ? `20${year}` : year}-${number}-${day ? first : second}${time}`
}

function wallTime(written: string, order: DateOrder): WallTime | null {
  const named = /\p{L}{3}/u.test(written) ? withoutMonthName(written, order) : null
  return named === null ? numericTime(written, order) : numericTime(named, 'ymd')
}

function numericTime(text: string, order: DateOrder): WallTime | null {
  const parts = numericDate.exec(text) ?? denseDate.exec(text)
  if (!parts) return null
  const [, a = '', b = '', c = '', hours = '0', minutes = '0', seconds = '0', half] = parts
  const yearFirst = order === 'iso' || order === 'ymd'
  const yearText = yearFirst ? a : c
  if (yearFirst ? a.length !== 4 || c.length > 2 : a.length > 2 || (c.length !== 4 && c.length !== 2)) return null
  const year = Number(yearText) + (yearText.length === 2 ? 2000 : 0)
  const month = Number(order === 'mdy' ? a : b)
  const day = Number(yearFirst ? c : order === 'mdy' ? b : a)
  let hour = Number(hours)
  if (half) {
    if (hour < 1 || hour > 12) return null
    hour = (hour % 12) + (/^p/i.test(half) ? 12 : 0)
  }
  const minute = Number(minutes)
  const second = Number(seconds)
  if (
    year < 1970 ||
    year > 2200 ||
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > daysIn(year, month) ||
    hour > 23 ||
    minute > 59 ||
    second > 59
  )
    return null
  return { year, month, day, hour, minute, second }
}

/** `'12-01-2010 08:26'`, mdy, Europe/London → the instant in UTC, or null for an invalid date. A time skipped by summer time moves one hour forward. */
export function readDate(text: string, order: DateOrder, timeZone: string): string | null {
  if (text.length > 60) return null
  if (offsetDate.test(text)) return isoInstant(text)
  const shifted = trailingOffset.exec(text)
  if (shifted) {
    const [, local, sign, hours, minutes, utc] = shifted
    const time = wallTime((local ?? utc ?? '').trim(), order)
    if (!time) return null
    const ahead = utc === undefined ? (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1) : 0
    return new Date(Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute - ahead, time.second)).toISOString()
  }
  const time = wallTime(text, order)
  if (!time) return null
  const { year, month, day, hour, minute, second } = time
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second)
  const offset = timeZone === 'UTC' ? 0 : offsetOf(timeZone, time)
  return new Date(
    offset === null ? new TZDate(year, month - 1, day, hour, minute, second, timeZone).getTime() : asUtc - offset,
  ).toISOString()
}

/** `2026-11-10 10:30:00 +0100`, as several shops write it, in the form of ISO 8601. */
function isoInstant(text: string): string | null {
  const plain = text
    .replace(/^(\S{10}) /, '$1T')
    .replace(/ ?(Z|UTC|GMT)$/, 'Z')
    .replace(/ ?([+-]\d{2}):?(\d{2})?$/, (_, hours: string, minutes: string | undefined) => `${hours}:${minutes ?? '00'}`)
  const instant = Date.parse(plain)
  return Number.isNaN(instant) ? null : new Date(instant).toISOString()
}

const dayLength = 86_400_000
const offsets = new Map<string, number | null>()

/**
 * A zone's offset from UTC during a whole day, in milliseconds; null on a day on which it changes.
 * Cached, because time zone rules are slow to query and the orders of a file come from few days.
 */
function offsetOf(timeZone: string, { year, month, day }: WallTime): number | null {
  const key = `${timeZone} ${year}-${month}-${day}`
  let offset = offsets.get(key)
  if (offset === undefined) {
    const start = new TZDate(year, month - 1, day, timeZone).getTime()
    const end = new TZDate(year, month - 1, day + 1, timeZone).getTime()
    offset = end - start === dayLength ? Date.UTC(year, month - 1, day) - start : null
    if (offsets.size >= 10_000) offsets.clear()
    offsets.set(key, offset)
  }
  return offset
}

const withoutOffset = (date: string): string => {
  const shifted = offsetDate.test(date) ? null : trailingOffset.exec(date)
  return shifted ? (shifted[1] ?? shifted[5] ?? '').trim() : date
}

export interface DateFinding {
  order: DateOrder
  /** Every order of year, month and day that fits all values; empty where the column holds no dates. */
  fits: DateOrder[]
  /** The values alone are ambiguous: a person has to check. */
  doubtful: boolean
  /** The spread of the dates does not decide either. */
  tied: boolean
}

/**
 * Detects the date format of a column. Where all values fit both day first and month first, the reading with the smaller spread of dates is chosen –
 * orders of one file come from a few days or weeks, and a wrong reading spreads them over months – and it is marked as doubtful. A tie is read day first.
 */
export function detectDates(values: readonly string[]): DateFinding {
  const dates = values.map(cellText).filter(value => value !== '')
  if (dates.length > 0 && dates.every(date => offsetDate.test(date))) return { order: 'iso', fits: ['iso'], doubtful: false, tied: false }
  const spans = new Map<DateOrder, number>()
  // Dates with dots have the day first, all over Europe.
  const dayFirst = dates.every(date => /^\d{1,2}\. ?\d{1,2}\. ?\d/.test(date) && wallTime(withoutOffset(date), 'dmy') !== null)
  for (const order of dayFirst ? (['dmy'] as const) : (['ymd', 'dmy', 'mdy'] as const)) {
    let earliest = Number.POSITIVE_INFINITY
    let latest = Number.NEGATIVE_INFINITY
    const fits = dates.every(date => {
      const time = wallTime(withoutOffset(date), order)
      if (!time) return offsetDate.test(date)
      const at = Date.UTC(time.year, time.month - 1, time.day)
      earliest = Math.min(earliest, at)
      latest = Math.max(latest, at)
      return true
    })
    if (fits && dates.length > 0) spans.set(order, latest - earliest)
  }
  const fits = [...spans.keys()]
  const [order = 'iso'] = fits.toSorted((one, other) => valueAt(spans, one) - valueAt(spans, other))
  // 01-01-2010 is the same in both readings.
  const differs = dates.some(
    date => JSON.stringify(wallTime(withoutOffset(date), 'dmy')) !== JSON.stringify(wallTime(withoutOffset(date), 'mdy')),
  )
  const [first, second] = fits
  const tied = first !== undefined && second !== undefined && spans.get(first) === spans.get(second)
  return { order, fits, doubtful: fits.length > 1 && differs, tied }
}
