/**
 * Law of working time by country, each with the day from which it holds. Sources: DK arbejdstidsloven and bekendtgørelse om unges
 * arbejde; DE ArbZG and JArbSchG; NO arbeidsmiljøloven chapters 10 and 11; SE arbetstidslagen and AFS 2012:3; GB Working Time
 * Regulations 1998.
 */
import type { WorkingTimeCountry } from '../employees/employees.codes.ts'

interface Break {
  /** Hours of work above which it is due. */
  over_h: number
  /** Due after exactly so many hours too. */
  from?: true
  /** Null where the law names no length. */
  minutes: number | null
}

export interface YoungRules {
  day_h: number
  week_h: number
  rest_h: number
  weekly_rest_h: number
  /** No work between these hours. */
  night_from: number
  night_to: number
  breaks: readonly Break[]
  /** Hours from the beginning of a day's work to its end, with breaks; null where the law names none. */
  span_h: number | null
  /** No work on Saturdays and Sundays. */
  weekend_free: boolean
}

type Reference = { months: number } | { weeks: number }

/** People who work at night are protected by an average of their own. */
export interface NightRules {
  /** Night lies between these hours. */
  night_from: number
  night_to: number
  /** A night worker normally works so much of a day at night, in seconds. */
  least_s: number
  /** Or so many hours at night in twelve months; null where the law names none. */
  year_h: number | null
  /** Hours in 24 on average, over so many days back. */
  day_h: number
  average: Reference
  /** Hours of weekly rest that leave the average. */
  rest_h: number
}

export interface CountryRules {
  valid_from: string
  rest_h: number
  /** Hours of the clock that lie within the daily rest; null where the law names none. */
  rest_includes: { from: string; to: string } | null
  weekly_rest_h: number
  /** Hours a week on average, over so many days back. */
  average_h: number
  average: Reference
  breaks: readonly Break[]
  /** Most hours of one day; null where the law names none. */
  day_h: number | null
  sunday_free: boolean
  night: NightRules | null
  young: YoungRules
  /** For those who are still bound to go to school; null where no table is kept. */
  school: YoungRules | null
}

const young = (rules: Partial<YoungRules>): YoungRules => ({
  day_h: 8,
  week_h: 40,
  rest_h: 12,
  weekly_rest_h: 48,
  night_from: 20,
  night_to: 6,
  breaks: [{ over_h: 4.5, minutes: 30 }],
  span_h: null,
  weekend_free: false,
  ...rules,
})

export const countryRules: Readonly<Record<WorkingTimeCountry, readonly CountryRules[]>> = {
  DK: [
    {
      valid_from: '1990-01-01',
      rest_h: 11,
      rest_includes: null,
      weekly_rest_h: 35,
      average_h: 48,
      average: { months: 4 },
      breaks: [{ over_h: 6, minutes: null }],
      day_h: null,
      sunday_free: false,
      night: { night_from: 22, night_to: 5, least_s: 3 * 3600, year_h: 300, day_h: 8, average: { months: 4 }, rest_h: 24 },
      young: young({}),
      school: young({ day_h: 2, week_h: 12, rest_h: 14 }),
    },
  ],
  DE: [
    {
      valid_from: '1994-07-01',
      rest_h: 11,
      rest_includes: null,
      weekly_rest_h: 24,
      average_h: 48,
      average: { weeks: 24 },
      breaks: [
        { over_h: 9, minutes: 45 },
        { over_h: 6, minutes: 30 },
      ],
      day_h: 10,
      sunday_free: true,
      night: null,
      young: young({
        span_h: 10,
        weekend_free: true,
        breaks: [
          { over_h: 6, minutes: 60 },
          { over_h: 4.5, minutes: 30 },
        ],
      }),
      school: null,
    },
  ],
  NO: [
    {
      valid_from: '2006-01-01',
      rest_h: 11,
      rest_includes: null,
      weekly_rest_h: 35,
      average_h: 48,
      average: { weeks: 8 },
      breaks: [
        { over_h: 8, from: true, minutes: 30 },
        { over_h: 5.5, minutes: null },
      ],
      day_h: null,
      sunday_free: false,
      night: { night_from: 21, night_to: 6, least_s: 3 * 3600 + 1, year_h: null, day_h: 8, average: { weeks: 4 }, rest_h: 35 },
      young: young({ night_from: 21 }),
      school: null,
    },
  ],
  SE: [
    {
      valid_from: '1983-01-01',
      rest_h: 11,
      rest_includes: { from: '00:00', to: '05:00' },
      weekly_rest_h: 36,
      average_h: 48,
      average: { months: 4 },
      breaks: [{ over_h: 5, minutes: null }],
      day_h: null,
      sunday_free: false,
      night: null,
      young: young({ weekly_rest_h: 36, night_from: 22 }),
      school: null,
    },
  ],
  GB: [
    {
      valid_from: '1998-10-01',
      rest_h: 11,
      rest_includes: null,
      weekly_rest_h: 24,
      average_h: 48,
      average: { weeks: 17 },
      breaks: [{ over_h: 6, minutes: 20 }],
      day_h: null,
      sunday_free: false,
      night: null,
      young: young({ night_from: 22 }),
      school: null,
    },
  ],
}
