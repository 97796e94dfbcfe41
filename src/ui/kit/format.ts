/** Numbers, money, weights and times as the reader writes them: by locale, in the company's time zone, with a 24-hour clock. */
import { localeTag } from './translate.ts'

let zone: string | undefined
/** The company's time zone; without one the device's is used. */
export const setTimeZone = (timeZone: string | undefined): void => {
  zone = timeZone
}
export const timeZone = (): string => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

const kept = new Map<string, unknown>()
/** Making an `Intl` object costs more than using it, and a list makes thousands of cells. */
function once<T>(name: string, make: () => T): T {
  const key = `${localeTag()}|${zone ?? ''}|${name}`
  let made = kept.get(key) as T | undefined
  if (made === undefined) {
    made = make()
    kept.set(key, made)
  }
  return made
}

/** `12345` → `12.345`; fractions as given, at most `digits`. */
export const number = (value: number, digits = 0): string =>
  // Every language writes these alike, and the first formatter takes an old computer some milliseconds.
  digits === 0 && Number.isInteger(value) && value >= 0 && value < 1_000
    ? String(value)
    : once(`n${digits}`, () => new Intl.NumberFormat(localeTag(), { maximumFractionDigits: digits })).format(value)

/** `0.257` → `26 %`. */
export const percent = (value: number, digits = 0): string =>
  once(`p${digits}`, () => new Intl.NumberFormat(localeTag(), { style: 'percent', maximumFractionDigits: digits })).format(value)

const moneyFormat = (currency: string) => once(`m${currency}`, () => new Intl.NumberFormat(localeTag(), { style: 'currency', currency }))

/** How many minor units a currency has: 2 for DKK, 0 for ISK. */
const minorDigits = (currency: string): number => moneyFormat(currency).resolvedOptions().maximumFractionDigits ?? 2

/** Minor units and a currency code → `12.345,60 kr.`. */
export const money = (minor: number, currency: string): string => moneyFormat(currency).format(minor / 10 ** minorDigits(currency))

/** Grams → `850 g`, `1,25 kg`. */
export const weight = (grams: number): string =>
  Math.abs(grams) < 1000
    ? once('wg', () => new Intl.NumberFormat(localeTag(), { style: 'unit', unit: 'gram', maximumFractionDigits: 0 })).format(grams)
    : once('wk', () => new Intl.NumberFormat(localeTag(), { style: 'unit', unit: 'kilogram', maximumFractionDigits: 2 })).format(
        grams / 1000,
      )

/** Millimetres → `30 × 20 × 10 cm`. */
export const size = (...millimetres: number[]): string => `${millimetres.map(one => number(one / 10, 1)).join(' × ')} cm`

/** Bytes → `1,4 MB`. */
export function bytes(count: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)))
  const unit = units[power] ?? 'byte'
  // In English, the short word for bytes has no plural.
  const unitDisplay = power ? 'short' : 'long'
  return once(`b${unit}`, () => new Intl.NumberFormat(localeTag(), { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 })).format(
    count / 1000 ** power,
  )
}

type Moment = string | number | Date
const dateOf = (moment: Moment): Date => (moment instanceof Date ? moment : new Date(moment))
const dateTime = (name: string, options: Intl.DateTimeFormatOptions) =>
  once(name, () => new Intl.DateTimeFormat(localeTag(), { hourCycle: 'h23', ...(zone ? { timeZone: zone } : {}), ...options }))

/** An instant → `20. nov. 2026 14.05`. */
export const instant = (moment: Moment): string =>
  dateTime('dt', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' }).format(dateOf(moment))

/** An instant → everything, with seconds and zone, for a tooltip. */
export const instantInFull = (moment: Moment): string => dateTime('full', { dateStyle: 'full', timeStyle: 'long' }).format(dateOf(moment))

/** An instant → `14.05`. */
export const time = (moment: Moment): string => dateTime('t', { hour: '2-digit', minute: '2-digit' }).format(dateOf(moment))

/** An instant → `20. nov. 2026`, the day it falls on in the company's zone. */
export const dayOf = (moment: Moment): string => dateTime('d', { day: 'numeric', month: 'short', year: 'numeric' }).format(dateOf(moment))

/** An instant → `2026-11-20`, the day it falls on in the company's zone, as a date box writes it. */
export const dateIn = (moment: Moment): string => localTime(dateOf(moment)).slice(0, 10)

/** Today by the company's clock. */
export const today = (): string => dateIn(Date.now())
export const daysAgo = (days: number): string => dateIn(Date.now() - days * 86_400_000)

/** An instant → `2026-11-20T14:05:00` on the company's clock. */
function localTime(date: Date): string {
  const parts = once(
    'local time',
    () =>
      new Intl.DateTimeFormat('en-US', {
        hourCycle: 'h23',
        timeZone: timeZone(),
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
      }),
  ).formatToParts(date)
  const of = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}:${of('second')}`
}

/** An instant as a box for day and time holds it, on the company's clock: `2026-11-20T14:05`. */
export const localOf = (moment: Moment): string => localTime(dateOf(moment)).slice(0, 16)

/**
 * What stands in a box for day and time, `2026-11-20T14:05`, read on the company's clock → an instant, `2026-11-20T13:05:00.000Z`.
 * An hour that the clock leaves out is read as one later, of one that comes twice the first is meant; what is no time is null.
 */
export function instantOf(local: string): string | null {
  const asUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(local) ? Date.parse(`${local}Z`) : Number.NaN
  if (Number.isNaN(asUtc)) return null
  const offsetAt = (moment: number) => Date.parse(`${localTime(new Date(moment))}Z`) - moment
  // The clocks before and after any change that may be near: the earlier instant that reads so, else the clock before the change.
  const offsets = [offsetAt(asUtc - 86_400_000), offsetAt(asUtc + 86_400_000)]
  const right = offsets.find(offset => offsetAt(asUtc - offset) === offset)
  return new Date(asUtc - (right ?? offsets[0] ?? 0)).toISOString()
}

/** The company's zone in words, `mitteleuropäische Zeit`, where its clock shows another time than this device's; else null. */
export function otherZone(moment: Moment = Date.now()): string | null {
  const date = dateOf(moment)
  const here = new Intl.DateTimeFormat('en-US', { hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short' }).format(date)
  const there = new Intl.DateTimeFormat('en-US', { hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short', timeZone: timeZone() }).format(
    date,
  )
  if (here === there) return null
  const parts = new Intl.DateTimeFormat(localeTag(), { timeZone: timeZone(), timeZoneName: 'longGeneric' }).formatToParts(date)
  return parts.find(part => part.type === 'timeZoneName')?.value ?? timeZone()
}

/** A day of the calendar, `2026-11-20`, which belongs to no zone → `fre. 20. nov. 2026`. */
export const day = (date: string): string =>
  once(
    'cal',
    () => new Intl.DateTimeFormat(localeTag(), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  ).format(new Date(`${date}T00:00:00Z`))

/** The day of the week from its number, 1 for Monday → `Mon`. */
export const weekday = (day: number): string =>
  // The 5th of January 2026 is a Monday.
  once('weekday', () => new Intl.DateTimeFormat(localeTag(), { weekday: 'short', timeZone: 'UTC' })).format(Date.UTC(2026, 0, 4 + day))

/** A calendar day → its ISO week number (weeks begin on Monday in all offered locales). */
export function week(date: string): number {
  const thursday = new Date(`${date}T00:00:00Z`)
  thursday.setUTCDate(thursday.getUTCDate() + 3 - ((thursday.getUTCDay() + 6) % 7))
  const january = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  return 1 + Math.floor((thursday.getTime() - january) / 604_800_000)
}

const steps = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 7],
  ['week', 4.345],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const

/** An instant → `for 5 minutter siden`, `om 2 timer`. */
export function relative(moment: Moment, now: number = Date.now()): string {
  const format = once('rel', () => new Intl.RelativeTimeFormat(localeTag(), { numeric: 'auto' }))
  let amount = (dateOf(moment).getTime() - now) / 1000
  for (const [unit, size] of steps) {
    // Rounded before it is compared, so that it never reads 60 minutes.
    if (Math.round(Math.abs(amount)) < size) return format.format(Math.round(amount), unit)
    amount /= size
  }
  return instant(moment)
}

/** Milliseconds → `12 min.`, `3 t.`, `6 dage`: how long something takes or lasted, in one unit. */
export function span(milliseconds: number): string {
  const minutes = Math.max(0, milliseconds / 60_000)
  const [unit, amount] = minutes < 60 ? ['minute', minutes] : minutes < 48 * 60 ? ['hour', minutes / 60] : ['day', minutes / 1_440]
  return once(
    `s${unit}`,
    () => new Intl.NumberFormat(localeTag(), { style: 'unit', unit: unit as string, maximumFractionDigits: 0 }),
  ).format(Math.floor(amount as number))
}

/** An instant that is to come → `16.00` today, `tir. 16.00` within a week, else `16. nov.`. */
export function upcoming(moment: Moment, now: number = Date.now()): string {
  const days = (Date.parse(`${dateIn(moment)}T00:00:00Z`) - Date.parse(`${dateIn(now)}T00:00:00Z`)) / 86_400_000
  if (days === 0) return time(moment)
  if (days > 0 && days < 7) return dateTime('wt', { weekday: 'short', hour: '2-digit', minute: '2-digit' }).format(dateOf(moment))
  return dateTime('dm', { day: 'numeric', month: 'short' }).format(dateOf(moment))
}

/** Seconds → `1 t. 24 min.`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  const parts =
    whole < 60
      ? { seconds: whole }
      : whole < 3600
        ? { minutes: Math.floor(whole / 60), seconds: whole % 60 }
        : { hours: Math.floor(whole / 3600), minutes: Math.floor((whole % 3600) / 60) }
  const Duration = (Intl as unknown as { DurationFormat?: new (locale: string, options: object) => { format: (parts: object) => string } })
    .DurationFormat
  if (Duration) return once('dur', () => new Duration(localeTag(), { style: 'short' })).format(parts)
  return `${Math.floor(whole / 3600)}:${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`
}

/** `DK` → `Danmark`. */
export const country = (iso_code_2: string): string =>
  once('c', () => new Intl.DisplayNames(localeTag(), { type: 'region', fallback: 'code' })).of(iso_code_2.toUpperCase()) ?? iso_code_2

/** `['a', 'b', 'c']` → `a, b og c`. */
export const list = (items: readonly string[]): string =>
  once('l', () => new Intl.ListFormat(localeTag(), { type: 'conjunction' })).format(items)

/** `['a', 'b', 'c']` → `a, b eller c`. */
export const eitherOf = (items: readonly string[]): string =>
  once('or', () => new Intl.ListFormat(localeTag(), { type: 'disjunction' })).format(items)

/** Compares as the reader's language sorts, with numbers inside text by value. */
export const compare = (left: string, right: string): number =>
  once('cmp', () => new Intl.Collator(localeTag(), { numeric: true })).compare(left, right)

/** Countries to choose from, by their names in the person's language. All of the world take an old computer some milliseconds. */
export const countryChoices = (countries: readonly { iso_code_2: string }[]): { value: string; label: string }[] =>
  countries
    .map(({ iso_code_2 }) => ({ value: iso_code_2, label: country(iso_code_2) }))
    .toSorted((one, other) => compare(one.label, other.label))
