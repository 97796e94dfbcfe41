/** Numbers, money, weights and times as the reader writes them: by locale, in the company's time zone, with a 24-hour clock. */
import { localeTag } from '#web/translate.ts'

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
  once(`n${digits}`, () => new Intl.NumberFormat(localeTag(), { maximumFractionDigits: digits })).format(value)

/** `0.257` → `26 %`. */
export const percent = (value: number, digits = 0): string =>
  once(`p${digits}`, () => new Intl.NumberFormat(localeTag(), { style: 'percent', maximumFractionDigits: digits })).format(value)

const moneyFormat = (currency: string) => once(`m${currency}`, () => new Intl.NumberFormat(localeTag(), { style: 'currency', currency }))

/** How many minor units a currency has: 2 for DKK, 0 for ISK. */
export const minorDigits = (currency: string): number => moneyFormat(currency).resolvedOptions().maximumFractionDigits ?? 2

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
  return once(`b${unit}`, () => new Intl.NumberFormat(localeTag(), { style: 'unit', unit, maximumFractionDigits: 1 })).format(
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

/** A day of the calendar, `2026-11-20`, which belongs to no zone → `fre. 20. nov. 2026`. */
export const day = (date: string): string =>
  once(
    'cal',
    () => new Intl.DateTimeFormat(localeTag(), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  ).format(new Date(`${date}T00:00:00Z`))

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
    // Rounded before it is compared: nobody says 60 minutes.
    if (Math.round(Math.abs(amount)) < size) return format.format(Math.round(amount), unit)
    amount /= size
  }
  return instant(moment)
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

/** Compares as the reader's language sorts, with numbers inside text by value. */
export const compare = (left: string, right: string): number =>
  once('cmp', () => new Intl.Collator(localeTag(), { numeric: true })).compare(left, right)
