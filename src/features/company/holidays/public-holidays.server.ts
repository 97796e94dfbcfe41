/** The one calendar of public holidays: that of a country and region, with what a company changes in it. */
import Holidays from 'date-holidays'
import type { Db } from '#platform/database/database.ts'
import { createTtlCache } from '#platform/database/ttl-cache.ts'

export interface PublicHoliday {
  day: string
  name: string
}

/** Made once: reading the rules of all countries takes longer than a request may. */
const calendars = new Map<string, Holidays>()
const years = createTtlCache<readonly PublicHoliday[]>('holidays')
const kept = 86_400_000

/** Public holidays of one year; names in the language where the library has it, else in that of the country. */
function holidaysOf(country: string, region: string, year: number, language: string): readonly PublicHoliday[] {
  const key = `${country} ${region} ${year} ${language}`
  const known = years.get(key, Date.now())
  if (known) return known
  const keep = years.beginFill()
  const place = `${country} ${region}`
  const calendar = calendars.get(place) ?? (region ? new Holidays(country, region) : new Holidays(country))
  calendars.set(place, calendar)
  const days = calendar
    .getHolidays(year, language)
    .filter(one => one.type === 'public')
    .map(one => ({ day: one.date.slice(0, 10), name: one.name }))
  keep(key, days, Date.now() + kept)
  return days
}

/** The days of a country's public holidays by the calendar alone, without what a company changes in it. */
export const calendarDays = (country: string, year: number): ReadonlySet<string> =>
  new Set(calendarOfYear(country, year, 'en').map(({ day }) => day))

/** The same with their names, in the language where the library has it. */
export const calendarOfYear = (country: string, year: number, locale: string): readonly PublicHoliday[] =>
  holidaysOf(country, '', year, locale.slice(0, 2))

/** Whether there is a calendar of public holidays of a country. */
export const knowsCalendar = (country: string): boolean => Object.hasOwn(new Holidays().getCountries(), country)

/** Whether the library knows a region of a country, `DE` and `BY`. */
export const knowsRegion = (country: string, region: string): boolean =>
  region === '' || Object.hasOwn(new Holidays().getStates(country) ?? {}, region)

interface Override {
  day: string
  name: string
  free: boolean
}

/** Days on which a company's calendar differs, in order. */
export const holidayOverrides = (db: Db, from: string, to: string): Promise<Override[]> =>
  db
    .selectFrom('holiday_overrides')
    .select(['day', 'name', 'free'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute()

/** The public holidays between two days, which both belong to it. */
export async function publicHolidays(
  db: Db,
  { country, region, locale, from, to }: { country: string; region: string; locale: string; from: string; to: string },
): Promise<PublicHoliday[]> {
  const days = new Map<string, string>()
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year++)
    for (const { day, name } of holidaysOf(country, region, year, locale.slice(0, 2)))
      if (day >= from && day <= to && !days.has(day)) days.set(day, name)
  for (const { day, name, free } of await holidayOverrides(db, from, to))
    if (free) days.set(day, name)
    else days.delete(day)
  return [...days].map(([day, name]) => ({ day, name })).sort((one, other) => (one.day < other.day ? -1 : 1))
}
