/** Dates in files: read in the order of day, month and year that the file uses, on the clock of the shop. */
import { TZDate } from '@date-fns/tz'
import * as z from 'zod'
import { cellText } from './csv-text.ts'

/** In which order a date names year, month and day; dots, dashes, slashes and blanks between them are all the same. `iso` may carry an offset. */
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
  /^(\d{1,4})[-./ ](\d{1,2})[-./ ](\d{1,4})\.?(?:[T, ]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?)?$/i
const denseDate = /^(\d{4})(\d{2})(\d{2})$/
const offsetDate = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const daysIn = (year: number, month: number): number =>
  month === 2 && ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0) ? 29 : (monthLengths[month - 1] ?? 0)

function wallTime(text: string, order: DateOrder): WallTime | null {
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

/** `'12-01-2010 08:26'`, mdy, Europe/London → the instant in UTC, or null where the text is no such date. An hour that summer time skips is the one after it. */
export function readDate(text: string, order: DateOrder, timeZone: string): string | null {
  if (text.length > 60) return null
  if (offsetDate.test(text)) {
    const instant = Date.parse(text)
    return Number.isNaN(instant) ? null : new Date(instant).toISOString()
  }
  const wall = wallTime(text, order)
  if (!wall) return null
  const { year, month, day, hour, minute, second } = wall
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second)
  const offset = timeZone === 'UTC' ? 0 : offsetOf(timeZone, wall)
  return new Date(
    offset === null ? new TZDate(year, month - 1, day, hour, minute, second, timeZone).getTime() : asUtc - offset,
  ).toISOString()
}

const dayLength = 86_400_000
const offsets = new Map<string, number | null>()

/**
 * How far a zone's clock is before UTC during a whole day, in milliseconds; null on a day on which it is changed.
 * Remembered, because the rules of a zone are slow to ask and the orders of a file come from few days.
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

export interface DateFinding {
  order: DateOrder
  /** Every order of year, month and day that all values fit; empty where the column holds no dates. */
  fits: DateOrder[]
  /** The values alone do not tell: somebody has to look. */
  doubtful: boolean
  /** Not even how close together the dates lie tells. */
  tied: boolean
}

/**
 * How a column writes its dates. Where all values can be read day first and month first, the reading whose dates lie closer together is chosen –
 * orders of one file come from a few days or weeks, and a wrong reading scatters them over months – and it is called doubtful. A tie is read day first.
 */
export function detectDates(values: readonly string[]): DateFinding {
  const dates = values.map(cellText).filter(value => value !== '')
  if (dates.length > 0 && dates.every(date => offsetDate.test(date))) return { order: 'iso', fits: ['iso'], doubtful: false, tied: false }
  const spans = new Map<DateOrder, number>()
  // Whoever puts dots between them writes the day first, all over Europe.
  const dayFirst = dates.every(date => /^\d{1,2}\.\d{1,2}\.\d/.test(date) && wallTime(date, 'dmy') !== null)
  for (const order of dayFirst ? (['dmy'] as const) : (['ymd', 'dmy', 'mdy'] as const)) {
    let earliest = Number.POSITIVE_INFINITY
    let latest = Number.NEGATIVE_INFINITY
    const fits = dates.every(date => {
      const wall = wallTime(date, order)
      if (!wall) return offsetDate.test(date)
      const at = Date.UTC(wall.year, wall.month - 1, wall.day)
      earliest = Math.min(earliest, at)
      latest = Math.max(latest, at)
      return true
    })
    if (fits && dates.length > 0) spans.set(order, latest - earliest)
  }
  const fits = [...spans.keys()]
  const [order = 'iso'] = fits.toSorted((one, other) => spans.get(one)! - spans.get(other)!)
  // 01-01-2010 reads the same both ways.
  const differs = dates.some(date => JSON.stringify(wallTime(date, 'dmy')) !== JSON.stringify(wallTime(date, 'mdy')))
  return { order, fits, doubtful: fits.length > 1 && differs, tied: fits.length > 1 && spans.get(fits[0]!) === spans.get(fits[1]!) }
}
