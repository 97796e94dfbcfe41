/** The tables of working time, clock changes, half days, holiday accounts and the forecast. Zone: Europe/Copenhagen. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, clockAt, instantAt, instantsAt } from '#domain/local-time.ts'
import { entriesByRow, entriesOfCell } from './board.rules.ts'
import { calendarOf } from './calendar.rules.ts'
import { forecastOf } from './forecast.rules.ts'
import { earnedInMonth, earnedUntil, holidayYearOf, leaveCost, spend, takenUntil } from './leave-account.rules.ts'
import { rulesOn } from './own-rules.rules.ts'
import type { ScheduleEntry } from './schedule.schemas.ts'
import { dayPart } from './schedule-words.client.ts'
import { cutShift, paidSeconds, remainingHalf, shiftAt, spanOf } from './shifts.rules.ts'
import { averageFrom, checkNightAverage, checkWorkingTime, type Span, weeklyAverage } from './working-time.rules.ts'

const zone = 'Europe/Copenhagen'
const hours = (count: number) => count * 3600
const utc = (at: number) => new Date(at).toISOString().slice(0, 16)

let id = 0
const work = (day: string, from: string, to: string, minutes = 0): Span => ({
  id: ++id,
  ...spanOf({ work_date: day, start_local: from, end_local: to }, zone),
  break_s: minutes * 60,
})
const adult = { country: 'DK', zone, isMinor: () => false, compulsory_school: false, own_rules: [] } as const
const minor = { ...adult, isMinor: () => true }
const warnings = (person: Parameters<typeof checkWorkingTime>[0], spans: Span[], day: string) =>
  checkWorkingTime(person, spans, day, day).map(({ rule, have_s }) => `${rule} ${have_s / 3600}`)

describe('a shift', () => {
  it.each([
    ['2026-03-28', '22:00', '06:00', '2026-03-28T21:00', '2026-03-29T04:00', 7],
    ['2026-10-24', '22:00', '06:00', '2026-10-24T20:00', '2026-10-25T05:00', 9],
    // The first of two clocks, and a clock that does not exist.
    ['2026-10-25', '02:30', '08:00', '2026-10-25T00:30', '2026-10-25T07:00', 6.5],
    ['2026-03-29', '02:30', '08:00', '2026-03-29T01:30', '2026-03-29T06:00', 4.5],
    ['2026-12-31', '22:00', '06:00', '2026-12-31T21:00', '2027-01-01T05:00', 8],
  ])('of %s %s–%s lasts as long as it does between its instants', (work_date, start_local, end_local, start, end, length) => {
    const span = spanOf({ work_date, start_local, end_local }, zone)
    expect([utc(span.start), utc(span.end), (span.end - span.start) / 3_600_000]).toEqual([start, end, length])
  })

  it('that is copied over a clock change keeps its clock', () => {
    const week43 = spanOf({ work_date: '2026-10-20', start_local: '06:00', end_local: '14:00' }, zone)
    const week44 = spanOf({ work_date: addDays('2026-10-20', 7), start_local: '06:00', end_local: '14:00' }, zone)
    expect(utc(week43.start)).toBe('2026-10-20T04:00')
    expect(utc(week44.start)).toBe('2026-10-27T05:00')
  })

  it('has two instants for an hour that the clock shows twice, and none for one that it leaves out', () => {
    expect(instantsAt('2026-10-25', '02:30', zone).map(utc)).toEqual(['2026-10-25T00:30', '2026-10-25T01:30'])
    expect(instantsAt('2026-03-29', '02:30', zone)).toEqual([])
    expect(instantsAt('2026-11-24', '02:30', zone).map(utc)).toEqual(['2026-11-24T01:30'])
  })

  it('reads on every clock as it was written, but for hours that do not exist', () => {
    const clock = fc
      .integer({ min: 0, max: 1439 })
      .map(minute => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`)
    const day = fc.integer({ min: 0, max: 1500 }).map(days => addDays('2024-01-01', days))
    const zones = fc.constantFrom(zone, 'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'UTC')
    fc.assert(
      fc.property(day, clock, zones, (on, at, where) => {
        const read = clockAt(instantAt(on, at, where), where)
        expect(read === at || read > at).toBe(true)
      }),
    )
  })
})

describe('a cell of the board', () => {
  it('has leave above the shift on each day that the leave covers', () => {
    const entry = (id: number, more: Partial<ScheduleEntry>): ScheduleEntry => ({
      ...{ id, kind: 'shift', user_id: 7, work_date: '2026-11-23', date_to: null, start_local: '06:00', end_local: '14:00' },
      ...{ start_at: null, end_at: null, break_s: 0, station: null, skill: null, reason_id: null, part: null, state: 'published' },
      ...{ unpublished: false, note: null, decided_by: null, decision: null, own_decision: false, replaces_id: null, version: 1 },
      ...more,
    })
    // By day, and on the day by number, as they are read.
    const plan = [
      entry(1, {}),
      entry(3, { kind: 'leave', state: 'requested', date_to: '2026-11-24' }),
      entry(2, { work_date: '2026-11-24' }),
    ]
    const ids = (day: string) => entriesOfCell(entriesByRow(plan, 'people').get('7') ?? [], day).map(({ id }) => id)
    expect(ids('2026-11-23')).toEqual([3, 1])
    expect(ids('2026-11-24')).toEqual([3, 2])
  })
})

it.each([
  ['03:59', 'night'],
  ['04:00', 'morning'],
  ['11:59', 'morning'],
  ['12:00', 'afternoon'],
  ['19:59', 'afternoon'],
  ['20:00', 'night'],
] as const)('a shift from %s is one of the %s', (start, part) => expect(dayPart(start)).toBe(part))

describe('a clock-in', () => {
  const shiftOf = (work_date: string, start_local: string, end_local: string) => ({
    name: `${work_date} ${start_local}`,
    ...spanOf({ work_date, start_local, end_local }, zone),
  })
  const early = shiftOf('2026-11-24', '06:00', '14:00')
  const night = shiftOf('2026-11-24', '22:00', '06:00')
  const split = [shiftOf('2026-11-24', '06:00', '10:00'), shiftOf('2026-11-24', '14:00', '18:00')]
  const afterMidnight = shiftOf('2026-11-25', '00:30', '08:00')
  const double = [early, shiftOf('2026-11-24', '14:00', '22:00')]

  it.each([
    ['50 minutes before the shift', '2026-11-24', '05:10', [early], '2026-11-24 06:00'],
    ['more than an hour before it', '2026-11-24', '04:59', [early], undefined],
    ['at night, before and after midnight', '2026-11-24', '21:10', [night], '2026-11-24 22:00'],
    ['at night, two hours late', '2026-11-25', '00:10', [night], '2026-11-24 22:00'],
    ['before midnight for a shift after it', '2026-11-24', '23:50', [afterMidnight], '2026-11-25 00:30'],
    ['between two shifts', '2026-11-24', '13:20', split, '2026-11-24 14:00'],
    ['while one runs and the next is near', '2026-11-24', '13:30', double, '2026-11-24 06:00'],
    ['at the moment in which one ends and the next begins', '2026-11-24', '14:00', double, '2026-11-24 14:00'],
    ['after the shift', '2026-11-24', '14:01', [early], undefined],
  ])('%s belongs to the right shift', (_, day, clock, shifts, name) => {
    expect(shiftAt(instantAt(day, clock, zone), shifts)?.name).toBe(name)
  })
})

describe('half a day of leave', () => {
  const shift = { ...spanOf({ work_date: '2026-11-24', start_local: '08:00', end_local: '16:00' }, zone), break_s: 1800 }
  it('leaves half of the paid time, without the break', () => {
    expect(remainingHalf(shift, 'morning', zone)).toMatchObject({ start_local: '12:15', end_local: '16:00', break_s: 0 })
    expect(remainingHalf(shift, 'afternoon', zone)).toMatchObject({ start_local: '08:00', end_local: '11:45', break_s: 0 })
  })

  it('halves a night over the clock change by what is worked', () => {
    const night = { ...spanOf({ work_date: '2026-10-24', start_local: '22:00', end_local: '06:00' }, zone), break_s: 0 }
    const half = remainingHalf(night, 'afternoon', zone)
    expect([utc(half.end), half.end_local, paidSeconds(half)]).toEqual(['2026-10-25T00:30', '02:30', hours(4.5)])
  })

  it('gives the odd second to the work', () => {
    const odd = { start: 0, end: 7_201_000, break_s: 0 }
    expect(paidSeconds(remainingHalf(odd, 'morning', 'UTC'))).toBe(3601)
  })
})

describe('working time', () => {
  it('asks for eleven hours of rest, counted between instants', () => {
    const monday = work('2026-11-23', '14:00', '22:00', 30)
    expect(warnings(adult, [monday, work('2026-11-24', '08:00', '16:00', 30)], '2026-11-24')).toEqual(['rest 10'])
    expect(warnings(adult, [monday, work('2026-11-24', '09:00', '17:00', 30)], '2026-11-24')).toEqual([])
    const spring = work('2026-03-28', '13:00', '21:00', 30)
    expect(warnings(adult, [spring, work('2026-03-29', '08:00', '16:00', 30)], '2026-03-29')).toEqual(['rest 10'])
    const autumn = work('2026-10-24', '13:00', '21:00', 30)
    expect(warnings(adult, [autumn, work('2026-10-25', '07:00', '15:00', 30)], '2026-10-25')).toEqual([])
  })

  it('lets a day be split as long as the night is free', () => {
    const days = ['2026-11-23', '2026-11-24'].flatMap(day => [work(day, '06:00', '10:00'), work(day, '14:00', '18:00')])
    expect(warnings(adult, days, '2026-11-24')).toEqual([])
  })

  it('asks for 35 hours off within seven days', () => {
    const week = (saturday: [string, string]) => [
      ...['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'].map(day => work(day, '14:00', '22:00', 30)),
      work('2026-11-28', ...saturday, 30),
      work('2026-11-30', '06:00', '14:00', 30),
    ]
    expect(warnings(adult, week(['14:00', '22:00']), '2026-11-30')).toEqual(['weekly_rest 32'])
    expect(warnings(adult, week(['06:00', '14:00']), '2026-11-30')).toEqual([])
  })

  it('asks for a break after six hours', () => {
    expect(warnings(adult, [work('2026-11-24', '06:00', '12:00')], '2026-11-24')).toEqual([])
    expect(warnings(adult, [work('2026-11-24', '06:00', '12:01')], '2026-11-24')).toEqual(['break 0'])
  })

  it('knows the longer break, the longest day and the Sunday of Germany', () => {
    const german = { ...adult, country: 'DE', zone: 'Europe/Berlin' } as const
    expect(warnings(german, [work('2026-11-24', '06:00', '15:30', 30)], '2026-11-24')).toEqual(['break 0.5'])
    expect(warnings(german, [work('2026-11-24', '06:00', '17:00', 45)], '2026-11-24')).toEqual(['long_day 10.25'])
    expect(warnings(german, [work('2026-11-22', '08:00', '12:00')], '2026-11-22')).toEqual(['sunday 4'])
  })

  it.each([
    // The law of each country beside Denmark: what is too little or too much, and what is just enough.
    ['NO', 'adult', ['2026-11-24', '06:00', '11:31', 0], ['break 0'], ['2026-11-24', '06:00', '11:30', 0]],
    ['NO', 'adult', ['2026-11-24', '06:00', '14:30', 20], ['break 0.3333333333333333'], ['2026-11-24', '06:00', '14:30', 30]],
    ['NO', 'adult', ['2026-11-24', '06:00', '14:00', 20], ['break 0.3333333333333333'], ['2026-11-24', '06:00', '13:59', 20]],
    ['SE', 'adult', ['2026-11-24', '04:30', '09:00', 0], ['night_rest 0'], ['2026-11-24', '05:00', '09:30', 0]],
    ['SE', 'adult', ['2026-11-24', '20:00', '00:30', 0], ['night_rest 0'], ['2026-11-24', '19:30', '00:00', 0]],
    ['SE', 'adult', ['2026-11-24', '06:00', '11:01', 0], ['break 0'], ['2026-11-24', '06:00', '11:00', 0]],
    ['GB', 'adult', ['2026-11-24', '06:00', '12:01', 15], ['break 0.25'], ['2026-11-24', '06:00', '12:01', 20]],
    ['NO', 'minor', ['2026-11-24', '14:00', '21:30', 30], ['young_night 0.5'], ['2026-11-24', '14:00', '21:00', 30]],
    ['SE', 'minor', ['2026-11-24', '15:00', '22:30', 30], ['young_night 0.5'], ['2026-11-24', '15:00', '22:00', 30]],
    ['GB', 'minor', ['2026-11-24', '15:00', '22:30', 30], ['young_night 0.5'], ['2026-11-24', '15:00', '22:00', 30]],
    ['DE', 'minor', ['2026-11-24', '08:00', '16:00', 45], ['young_break 0.75'], ['2026-11-24', '08:00', '16:00', 60]],
    ['DE', 'minor', ['2026-11-24', '08:00', '18:30', 150], ['young_span 10.5'], ['2026-11-24', '08:00', '18:00', 120]],
    ['DE', 'minor', ['2026-11-28', '08:00', '12:00', 0], ['young_weekend 4'], ['2026-11-27', '08:00', '12:00', 0]],
  ] as const)('follows the law of %s for the %s', (country, of, [day, from, to, pause], broken, [on, start, end, rest]) => {
    const person = { ...(of === 'minor' ? minor : adult), country }
    expect(warnings(person, [work(day, from, to, pause)], day)).toEqual(broken)
    expect(warnings(person, [work(on, start, end, rest)], on)).toEqual([])
  })

  it('asks in Sweden for eleven hours of rest around the night, where other countries take those of the day', () => {
    const split = (evening: string) => [
      work('2026-11-24', '07:00', '09:00'),
      work('2026-11-24', '20:00', evening),
      work('2026-11-25', '09:30', '12:00'),
    ]
    const swede = { ...adult, country: 'SE' } as const
    expect(warnings(swede, split('22:30'), '2026-11-25')).toEqual([])
    expect(warnings(swede, split('22:31'), '2026-11-25')[0]).toMatch(/^rest 10.98/)
    // Eleven hours by day, and less around the night.
    const nights = [work('2026-11-24', '21:30', '23:30'), work('2026-11-25', '08:00', '10:00')]
    expect(warnings(swede, nights, '2026-11-25')).toEqual(['night_rest 8.5'])
    expect(warnings(adult, nights, '2026-11-25')).toEqual([])
  })

  it.each([
    ['SE', 36],
    ['GB', 24],
    ['NO', 35],
    ['DE', 24],
  ] as const)('asks in %s for %d hours off within seven days', (country, needed) => {
    // Each day nine to five, and so many hours from the last evening to the next shift.
    const person = { ...adult, country }
    const days = Array.from({ length: 7 }, (_, day) => work(addDays('2026-11-14', day), '09:00', '17:00', 30))
    const back = (minutes: number) => {
      const start = instantAt('2026-11-20', '17:00', zone) + needed * 3_600_000 - minutes * 60_000
      return { ...work('2026-11-22', '09:00', '10:00'), start, end: start + 3_600_000 }
    }
    const weekly = (last: Span) =>
      checkWorkingTime(person, [...days, last], '2026-11-21', '2026-11-23').filter(warning => warning.rule === 'weekly_rest')
    expect(weekly(back(1))).toHaveLength(1)
    expect(weekly(back(0))).toEqual([])
  })

  it('protects minors: eight hours, no night, and adult rules from the 18th birthday on', () => {
    expect(warnings(minor, [work('2026-11-24', '10:00', '19:00', 30)], '2026-11-24')).toEqual(['young_day 8.5'])
    expect(warnings(minor, [work('2026-11-24', '12:30', '20:30', 30)], '2026-11-24')).toEqual(['young_night 0.5'])
    const turning = { ...adult, isMinor: (day: string) => day < '2026-11-25' }
    expect(warnings(turning, [work('2026-11-25', '12:30', '20:30', 30)], '2026-11-25')).toEqual([])
    const [warning] = checkWorkingTime(minor, [work('2026-11-24', '10:00', '19:00', 30)], '2026-11-24', '2026-11-24')
    expect(warning?.refused).toBe(true)
  })

  it('lets those who must go to school work two hours on a school day', () => {
    const pupil = { ...minor, compulsory_school: true }
    expect(warnings(pupil, [work('2026-11-24', '15:00', '17:30')], '2026-11-24')).toEqual(['young_day 2.5'])
    expect(warnings(pupil, [work('2026-11-28', '10:00', '17:00', 30)], '2026-11-28')).toEqual([])
  })

  it('averages over the days that are not neutral', () => {
    expect(weeklyAverage({ worked_s: hours(830), days: 122, neutral_days: 14 }) / 3600).toBeCloseTo(53.8, 1)
    expect(weeklyAverage({ worked_s: 0, days: 14, neutral_days: 14 })).toBe(0)
  })

  it.each([
    // Of 28 days: the hours worked before, days with a plan, those of them at night, night hours of a year, and the last shift.
    ['DK', 'more than half of the days at night', 184.01, 20, 11, 77, ['22:00', '06:00'], [8]],
    ['DK', 'and just enough rest', 184, 20, 11, 77, ['22:00', '06:00'], []],
    ['DK', 'less than half of the days at night', 190, 20, 8, 56, ['22:00', '06:00'], []],
    ['DK', '300 hours at night in a year', 190, 20, 2, 293, ['22:00', '06:00'], [8.25]],
    ['DK', 'not quite 300 hours at night in a year', 190, 20, 2, 292, ['22:00', '06:00'], []],
    ['DK', 'three hours of each day at night', 190, 0, 0, 0, ['17:00', '01:00'], [8.25]],
    ['DK', 'less than three hours of each day at night', 190, 0, 0, 0, ['16:59', '00:59'], []],
    ['NO', 'more than three hours of each day at night', 190, 0, 0, 0, ['16:01', '00:01'], [8.93]],
    ['NO', 'three hours of each day at night', 190, 0, 0, 0, ['16:00', '00:00'], []],
    ['NO', '300 hours at night in a year', 190, 20, 2, 293, ['22:00', '06:00'], []],
    ['SE', 'each day at night', 190, 20, 20, 400, ['22:00', '06:00'], []],
  ] as const)('follows the law of %s for night workers: %s', (country, _of, worked, planned_days, night_days, year, [from, to], means) => {
    const night = { worked_s: hours(worked), days: 28, neutral_days: 0, planned_days, night_days, year_s: hours(year) }
    const found = checkNightAverage({ ...adult, country }, [work('2026-11-24', from, to)], { night }, '2026-11-24', '2026-11-24')
    expect(found.map(warning => [warning.rule, Math.round(warning.have_s / 36) / 100])).toEqual(means.map(mean => ['night_average', mean]))
    expect(checkNightAverage({ ...minor, country }, [work('2026-11-24', from, to)], { night }, '2026-11-24', '2026-11-24')).toEqual([])
  })

  it('counts four months back in Denmark and 24 weeks in Germany', () => {
    const [danish, german] = [rulesOn('DK', '2026-11-30'), rulesOn('DE', '2026-11-30')]
    expect(danish && averageFrom(danish, '2026-11-30')).toBe('2026-08-01')
    expect(danish && averageFrom(danish, '2027-06-29')).toBe('2027-02-28')
    expect(german && averageFrom(german, '2026-11-30')).toBe(addDays('2026-11-30', -167))
  })
})

describe('a holiday account', () => {
  const since = (employed_from: string) => ({ employed_from, employed_to: null })
  const none = new Set<string>()

  it.each([
    ['three months', '2026-09-01', '2026-12-10', 6_240],
    ['one month that has 31 days', '2026-10-01', '2026-11-01', 2_080],
    ['a whole year', '2025-09-01', '2026-09-01', 25_000],
    ['eleven months', '2025-10-01', '2026-09-01', 22_880],
  ])('holds what %s earned', (_, employed, day, milli) => {
    const year = employed === '2025-09-01' || employed === '2025-10-01' ? '2025-09-01' : '2026-09-01'
    expect(earnedUntil(since(employed), year, day, none)).toBe(milli)
  })

  it('earns 0.07 of a day for each day with pay in a month that has days without', () => {
    const unpaid = new Set(Array.from({ length: 55 }, (_, day) => addDays('2026-07-23', day)))
    expect(earnedInMonth(since('2020-01-01'), '2026-07-01', unpaid)).toBe(1_540)
    expect(earnedInMonth(since('2020-01-01'), '2026-09-01', unpaid)).toBe(1_050)
  })

  it('begins on 1 September and is taken until the end of the next year', () => {
    expect([holidayYearOf('2026-08-31'), holidayYearOf('2026-09-01'), takenUntil('2025-09-01')]).toEqual([
      '2025-09-01',
      '2026-09-01',
      '2026-12-31',
    ])
  })

  it('pays no public holiday, and a week with five days whatever part of it is worked', () => {
    const christmas = new Set(['2026-12-25', '2026-12-26', '2027-01-01'])
    expect(leaveCost({ from: '2026-12-21', to: '2027-01-01', half: false }, 5, christmas)).toBe(8_000)
    expect(leaveCost({ from: '2026-11-23', to: '2026-11-29', half: false }, 4, none)).toBe(5_000)
    expect(leaveCost({ from: '2026-11-24', to: '2026-11-24', half: false }, 4, none)).toBe(1_250)
    expect(leaveCost({ from: '2026-11-24', to: '2026-11-24', half: true }, 4, none)).toBe(625)
  })

  it('spends the oldest year first', () => {
    const years = [
      { year_start: '2026-09-01', left: 6_240 },
      { year_start: '2025-09-01', left: 3_000 },
    ]
    expect(spend(5_000, '2026-12-14', years)).toEqual([
      { year_start: '2025-09-01', days_milli: 3_000 },
      { year_start: '2026-09-01', days_milli: 2_000 },
    ])
    expect(spend(5_000, '2027-01-11', years)).toEqual([{ year_start: '2026-09-01', days_milli: 5_000 }])
  })
})

describe('the forecast', () => {
  const tuesdays = [180, 190, 170, 200, 185, 195, 188, 180]
  const counted = new Map(tuesdays.map((received, week) => [addDays('2026-11-24', -7 * (week + 1)), { received, packed: received }]))

  it('is the mean of the last eight such weekdays, and the people for it', () => {
    expect(forecastOf('2026-11-24', counted, new Set(), (1488 / 5.2) * 3600)).toEqual({ orders: 186, people: 5 })
  })

  it('leaves public holidays out, and says nothing with fewer than three days', () => {
    expect(forecastOf('2026-11-24', counted, new Set(['2026-11-17']), 0)).toEqual({ orders: 187, people: null })
    expect(forecastOf('2026-11-25', counted, new Set(), 0)).toEqual({ orders: 0, people: null })
    expect(forecastOf('2026-11-24', new Map([...counted].slice(0, 2)), new Set(), 0)).toEqual({ orders: null, people: null })
  })
})

describe('a calendar feed', () => {
  it('holds times and stations in lines of at most 75 octets', () => {
    const shift = {
      id: 8123,
      start_at: '2026-11-24T05:00:00Z',
      end_at: '2026-11-24T13:00:00Z',
      station: `Pakkebord ${'ø'.repeat(60)}, syd`,
      version: 3,
    }
    const text = calendarOf([shift], { host: 'demo.example', made: new Date('2026-11-22T08:45:00Z'), word: 'Vagt' })
    expect(text).toContain(
      'UID:shift-8123@demo.example\r\nSEQUENCE:2\r\nDTSTAMP:20261122T084500Z\r\nDTSTART:20261124T050000Z\r\nDTEND:20261124T130000Z',
    )
    for (const line of text.split('\r\n')) expect(Buffer.from(line).length).toBeLessThanOrEqual(75)
    expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:Vagt · Pakkebord ${'ø'.repeat(60)}\\, syd`)
  })
})

describe('a shift from which somebody goes home', () => {
  const shift = (from: string, to: string, minutes: number) => ({
    ...spanOf({ work_date: '2026-11-24', start_local: from, end_local: to }, zone),
    break_s: minutes * 60,
  })
  const at = (clock: string, seconds = 0) => instantAt('2026-11-24', clock, zone) + seconds * 1_000

  it.each([
    // Row 23: the break belongs to the longer part, so that work and leave are paid like the shift.
    ['08:00', '16:00', 30, '13:40', '08:00–13:40', 5 * 60 + 10, 140, 31],
    ['08:00', '16:00', 30, '09:00', '08:00–09:00', 60, 390, 87],
    ['06:00', '14:00', 0, '10:00', '06:00–10:00', 240, 240, 50],
    ['08:00', '16:00', 30, '15:59', '08:00–15:59', 449, 1, 1],
  ])(
    '%s–%s with %i min break, home at %s: works %s, %i min paid, %i min leave, %i hundredths of the day',
    (from, to, minutes, home, works, paid, leave, share) => {
      const { worked, rest, share_c } = cutShift(shift(from, to, minutes), at(home, 27))
      expect(worked && `${clockAt(worked.start, zone)}–${clockAt(worked.end, zone)}`).toBe(works)
      expect([worked && paidSeconds(worked) / 60, paidSeconds(rest) / 60, share_c]).toEqual([paid, leave, share])
    },
  )

  it('before it began is leave as a whole', () => {
    expect(cutShift(shift('08:00', '16:00', 30), at('07:50'))).toEqual({ worked: null, rest: shift('08:00', '16:00', 30), share_c: 100 })
  })

  it('in the night of a clock change counts the hours that there are', () => {
    const night = { ...spanOf({ work_date: '2026-10-24', start_local: '22:00', end_local: '06:00' }, zone), break_s: 0 }
    const { worked, rest } = cutShift(night, Date.parse('2026-10-25T01:30:00Z'))
    expect([worked && paidSeconds(worked), paidSeconds(rest)]).toEqual([hours(5.5), hours(3.5)])
  })

  it('is paid as a whole, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 720 }),
        fc.integer({ min: 0, max: 25 }),
        fc.integer({ min: 0, max: 800 }),
        (length, pause, cut) => {
          const whole = { start: at('06:00'), end: at('06:00') + length * 60_000, break_s: pause * 60 }
          const { worked, rest } = cutShift(whole, whole.start + cut * 60_000)
          expect((worked ? paidSeconds(worked) : 0) + paidSeconds(rest)).toBe(paidSeconds(whole))
        },
      ),
    )
  })
})
