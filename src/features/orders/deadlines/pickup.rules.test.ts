import { describe, expect, it } from 'vitest'
import { calendarDays } from '#features/company/holidays/public-holidays.server.ts'
import { afterChange, assignDeadline, findPickup, type PickupRule, planned, type SpecialDay, specificity, startOf } from './pickup.rules.ts'

const holidaysOf = (country: string) => (day: string) => calendarDays(country, Number(day.slice(0, 4))).has(day)
const rule = (fields: Partial<PickupRule> = {}): PickupRule => ({
  weekdays: [1, 2, 3, 4, 5],
  cut_off: '14:00',
  pickup_time: '16:00',
  sla_days: 0,
  time_zone: 'Europe/Copenhagen',
  isHoliday: holidaysOf('DK'),
  days: new Map(),
  ...fields,
})
const open = (cut_off: string | null, pickup_time: string | null): SpecialDay => ({ open: true, cut_off, pickup_time })
const closed: SpecialDay = { open: false, cut_off: null, pickup_time: null }
const christmas = new Map([
  ['2026-12-23', open('10:00', '12:00')],
  ['2026-12-24', closed],
])
const sundays = { weekdays: [7] }

describe('the pickup of an order', () => {
  it.each([
    [1, 'one second before the cut-off', '2026-11-11T12:59:59Z', '2026-11-11T15:00Z', {}, null],
    [2, 'exactly at the cut-off', '2026-11-11T13:00:00Z', '2026-11-11T15:00Z', {}, null],
    [3, 'one second after it', '2026-11-11T13:00:01Z', '2026-11-12T15:00Z', {}, null],
    [4, 'on Friday afternoon', '2026-11-13T14:30:00Z', '2026-11-16T15:00Z', {}, null],
    [5, 'before Easter, after the cut-off', '2026-04-01T13:00:00Z', '2026-04-07T14:00Z', {}, null],
    [6, 'before Easter with a day more', '2026-04-01T11:00:00Z', '2026-04-07T14:00Z', { sla_days: 1 }, null],
    [7, 'on Friday with two days more', '2026-11-13T10:00:00Z', '2026-11-17T15:00Z', { sla_days: 2 }, null],
    [8, 'before the early cut-off of 23 December', '2026-12-23T08:30:00Z', '2026-12-23T11:00Z', { days: christmas }, null],
    [9, 'after it', '2026-12-23T09:30:00Z', '2026-12-28T15:00Z', { days: christmas }, null],
    [10, 'on 24 December, which is no public holiday', '2026-12-24T08:00:00Z', '2026-12-24T15:00Z', {}, null],
    [11, 'on the Sunday of the spring change', '2026-03-28T20:00:00Z', '2026-03-29T14:00Z', sundays, null],
    [12, 'on the Sunday of the autumn change', '2026-10-24T20:00:00Z', '2026-10-25T15:00Z', sundays, null],
    [
      13,
      'in the hour that is left out',
      '2026-03-28T20:00:00Z',
      '2026-03-29T01:30Z',
      { ...sundays, cut_off: '02:00', pickup_time: '02:30' },
      null,
    ],
    [
      14,
      'in the hour that comes twice',
      '2026-10-24T20:00:00Z',
      '2026-10-25T00:30Z',
      { ...sundays, cut_off: '02:00', pickup_time: '02:30' },
      null,
    ],
    [15, 'not before a Saturday', '2026-11-11T08:00:00Z', '2026-11-23T15:00Z', {}, '2026-11-21'],
    [
      16,
      'with a Saturday opened by hand',
      '2026-12-18T14:00:00Z',
      '2026-12-19T15:00Z',
      { days: new Map([['2026-12-19', open(null, null)]]) },
      null,
    ],
    [17, 'when the local day is already tomorrow', '2026-11-11T23:30:00Z', '2026-11-12T15:00Z', {}, null],
    [
      18,
      'before a Norwegian holiday',
      '2026-05-13T13:00:00Z',
      '2026-05-15T14:00Z',
      { isHoliday: holidaysOf('NO'), time_zone: 'Europe/Oslo' },
      null,
    ],
    [19, 'on 1 May, which is no public holiday in Denmark', '2026-05-01T07:00:00Z', '2026-05-01T14:00Z', {}, null],
  ] as const)('row %i: %s', (_row, _case, from, at, fields, not_before) => {
    const found = findPickup(rule(fields), { from: Date.parse(from), not_before })
    expect(found && new Date(found.at).toISOString()).toBe(new Date(at).toISOString())
    // Worked out once between two cut-offs, with the same answer.
    const many = planned({ id: 1, company_ids: [], agent_codes: [], shipping_methods: [], countries: [], rule: rule(fields) })
    for (const start of [Date.parse(from), Date.parse(from) + 1_000, Date.parse(from)])
      expect(many.find({ from: start, not_before })).toBe(findPickup(rule(fields), { from: start, not_before })?.at)
  })

  it('uses the earlier of cut-off and pickup on a special day without a cut-off of its own', () => {
    const early = rule({ days: new Map([['2026-11-11', open(null, '12:00')]]) })
    const at = (from: string) => new Date(findPickup(early, { from: Date.parse(from), not_before: null })!.at).toISOString()
    expect(at('2026-11-11T11:00:00Z')).toBe('2026-11-11T11:00:00.000Z')
    expect(at('2026-11-11T11:00:01Z')).toBe('2026-11-12T15:00:00.000Z')
  })

  it('is none where the next 60 days have no pickup', () => {
    const never = rule({ isHoliday: () => true })
    expect(findPickup(never, { from: Date.parse('2026-11-11T08:00:00Z'), not_before: null })).toBeNull()
  })

  it('is a pickup day at or after the start, the first one, for random calendars', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    for (let run = 0; run < 200; run++) {
      const weekdays = [1, 2, 3, 4, 5, 6, 7].filter(() => random(2) === 0)
      const free = new Set(Array.from({ length: 6 }, () => `2026-11-${String(random(28) + 1).padStart(2, '0')}`))
      const one = rule({ weekdays: weekdays.length > 0 ? weekdays : [3], isHoliday: day => free.has(day) })
      const from = Date.parse('2026-11-01T00:00:00Z') + random(20 * 86_400) * 1_000
      const found = findPickup(one, { from, not_before: null })!
      let day = Math.floor((from + 3_600_000) / 86_400_000) * 86_400_000
      for (;;) {
        const text = new Date(day).toISOString().slice(0, 10)
        const weekday = new Date(day).getUTCDay() || 7
        if (one.weekdays.includes(weekday) && !free.has(text) && day + 13 * 3_600_000 >= from) break
        day += 86_400_000
      }
      expect(found.at).toBe(day + 15 * 3_600_000)
    }
  })
})

const filter = { company_ids: [], agent_codes: [], shipping_methods: [], countries: [] }
const order = { company_id: 1, agent_code: 'gls', shipping_method: 'shop', country: 'DK' }

describe('the deadline of an order', () => {
  it.each([
    [filter, 0],
    [{ ...filter, countries: ['DK'] }, 1],
    [{ ...filter, company_ids: [1, 2] }, 2],
    [{ ...filter, agent_codes: ['gls'] }, 4],
    [{ ...filter, shipping_methods: ['gls:shop'] }, 8],
    [{ ...filter, shipping_methods: ['gls:shop'], countries: ['DK'] }, 9],
    [{ ...filter, shipping_methods: ['gls:shop'], countries: ['SE'] }, null],
    [{ ...filter, agent_codes: ['bring'] }, null],
  ])('%# is about the order as exactly as its lists', (one, weight) => {
    expect(specificity(one, order)).toBe(weight)
  })

  const late = planned({ ...filter, id: 1, rule: rule({ pickup_time: '18:00' }) })
  const early = planned({ ...filter, id: 2, rule: rule({ pickup_time: '15:30' }) })
  const gls = planned({ ...filter, id: 3, agent_codes: ['gls'], rule: rule() })
  const facts = {
    ...order,
    from: Date.parse('2026-11-11T08:00:00Z'),
    now: Date.parse('2026-11-11T08:00:00Z'),
    not_before: null,
    fixed: null,
    fallback: () => '2026-11-11T16:00:00.000Z',
  }

  it('is the most specific one, of equal ones the earliest', () => {
    expect(assignDeadline([late, early], facts)).toMatchObject({ deadline_id: 2, deadline_at: '2026-11-11T14:30:00.000Z' })
    expect(assignDeadline([late, early, gls], facts)).toEqual({
      deadline_id: 3,
      deadline_at: '2026-11-11T15:00:00.000Z',
      ship_by: '2026-11-11T15:00:00.000Z',
      ship_by_source: 'deadline',
    })
    expect(assignDeadline([gls], { ...facts, agent_code: 'bring' })).toEqual({
      deadline_id: null,
      deadline_at: null,
      ship_by: '2026-11-11T16:00:00.000Z',
      ship_by_source: 'company',
    })
  })

  it('keeps a promise: the last pickup before it, and none where that is past', () => {
    const fixed = { at: '2026-11-13T14:59:00.000Z', source: 'shop' } as const
    expect(assignDeadline([gls], { ...facts, fixed })).toEqual({
      deadline_id: 3,
      deadline_at: '2026-11-12T15:00:00.000Z',
      ship_by: fixed.at,
      ship_by_source: 'shop',
    })
    const now = Date.parse('2026-11-13T08:00:00Z')
    expect(assignDeadline([gls], { ...facts, now, fixed })).toMatchObject({ deadline_id: null, deadline_at: null, ship_by: fixed.at })
  })

  it('counts from the order, from its arrival where the order is old or from the future, and from the end of a hold', () => {
    const came = { ordered_at: '2026-11-11T08:00:00Z', created_at: '2026-11-11T09:00:00Z', resumed_at: null }
    expect(startOf(came)).toBe(Date.parse(came.ordered_at))
    expect(startOf({ ...came, ordered_at: '2026-10-01T08:00:00Z' })).toBe(Date.parse(came.created_at))
    expect(startOf({ ...came, ordered_at: '2026-12-01T08:00:00Z' })).toBe(Date.parse(came.created_at))
    expect(startOf({ ...came, resumed_at: '2026-11-12T08:00:00Z' })).toBe(Date.parse('2026-11-12T08:00:00Z'))
  })

  it('stays late: a passed pickup does not move later by a rule, only by a wish or the end of a hold', () => {
    const now = Date.parse('2026-11-12T08:00:00Z')
    const before = {
      deadline_id: 3,
      deadline_at: '2026-11-11T15:00:00.000Z',
      ship_by: '2026-11-11T15:00:00.000Z',
      ship_by_source: 'deadline',
    } as const
    const next = { ...before, deadline_at: '2026-11-12T15:00:00.000Z', ship_by: '2026-11-12T15:00:00.000Z' }
    expect(afterChange(before, next, { now, moves: false })).toBeNull()
    expect(afterChange(before, next, { now, moves: true })).toEqual(next)
    expect(afterChange(before, { ...next, deadline_id: null, deadline_at: null }, { now, moves: false })).toBeNull()
    // An order that its company promised for yesterday gets a pickup, and is late as before.
    const company = { deadline_id: null, deadline_at: null, ship_by: '2026-11-11T14:00:00.000Z', ship_by_source: 'company' } as const
    expect(afterChange(company, next, { now, moves: false })).toEqual({ ...next, ship_by: company.ship_by, ship_by_source: 'company' })
    expect(afterChange(next, next, { now, moves: false })).toBeNull()
  })
})
