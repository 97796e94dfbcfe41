import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DayPunch, type DayRules, hundredths, proposeDay, rounded, type Shift } from './day.rules.ts'
import { leftOpen } from './left-open.client.ts'

const at = (text: string) => Date.parse(`2026-11-24T${text.length === 5 ? `${text}:00` : text}Z`)
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 19)
const rules: DayRules = { tolerance_s: 300, rounding_min: 0, early: 'from_plan' }
const day: Shift = { start: at('08:00'), end: at('16:00'), break_s: 1_800 }
const work = (from: string, to: string, type: DayPunch['type'] = 'work'): DayPunch => ({
  type,
  state: 'closed',
  start: at(from),
  end: at(to),
})
const spanOf = (punches: readonly DayPunch[], over: Partial<DayRules> = {}, shifts = [day]) => {
  const proposal = proposeDay(shifts, punches, { ...rules, ...over })
  const [first, last] = [proposal.intervals[0], proposal.intervals.at(-1)]
  return { ...proposal, from: first ? clock(first.from) : '', to: last ? clock(last.to) : '' }
}

describe('plan 08:00 to 16:00 with half an hour of break', () => {
  it.each([
    // Rows 10 to 13 of the rules: punched, proposed, seconds paid, approved by itself.
    ['07:56', '16:03', '08:00:00', '16:00:00', 27_000, true],
    ['08:05', '16:00', '08:00:00', '16:00:00', 27_000, true],
    ['08:05:01', '16:00', '08:05:01', '16:00:00', 26_699, false],
    ['07:56', '16:06', '08:00:00', '16:06:00', 27_360, false],
    ['07:30', '16:00', '08:00:00', '16:00:00', 27_000, false],
  ])('punched %s to %s is %s to %s', (start, end, from, to, paid_s, auto) => {
    expect(spanOf([work(start, end)])).toMatchObject({ from, to, paid_s, auto })
  })

  it('says how much before the shift is not paid, and pays it where the company does', () => {
    expect(spanOf([work('07:30', '16:00')])).toMatchObject({ early_s: 1_800, flags: expect.arrayContaining(['early_unpaid']) })
    expect(spanOf([work('07:30', '16:00')], { early: 'from_punch' })).toMatchObject({ from: '07:30:00', early_s: 0 })
  })

  it.each([
    ['08:07:29', '08:00:00'],
    ['08:07:30', '08:15:00'],
  ])('rounds a start at %s to %s in steps of a quarter', (start, from) => {
    expect(spanOf([work(start, '16:00')], { rounding_min: 15 })).toMatchObject({ from, auto: false })
  })

  it('takes the planned break off where none was clocked', () => {
    const proposal = spanOf([work('08:00', '16:00')])
    expect(proposal).toMatchObject({ break_s: 1_800, flags: ['break_planned'], auto: true })
    expect(proposal.intervals.map(one => `${clock(one.from)} ${one.paid}`)).toEqual(['08:00:00 true', '11:45:00 false', '12:15:00 true'])
  })

  it.each([
    [20, 600, false],
    [30, 0, true],
    [45, 0, false],
  ])('takes a clocked break of %s minutes off as it was', (minutes, short_s, auto) => {
    const back = clock(at('12:00') + minutes * 60_000)
    const punches = [work('08:00', '12:00'), work('12:00', back, 'break'), work(back, '16:00')]
    expect(spanOf(punches)).toMatchObject({ break_s: minutes * 60, paid_s: 28_800 - minutes * 60, short_s, auto })
  })

  it('counts the time between a clock-out and the next clock-in as break', () => {
    expect(spanOf([work('08:00', '12:00'), work('12:30', '16:00')])).toMatchObject({ break_s: 1_800, paid_s: 27_000, auto: true })
  })

  it('pays meetings and cleaning', () => {
    const punches = [work('08:00', '10:00'), work('10:00', '11:00', 'meeting'), work('11:00', '15:30'), work('15:30', '16:00', 'cleaning')]
    expect(spanOf(punches).paid_s).toBe(27_000)
  })
})

describe('a day', () => {
  it.each([
    ['open', 'open'],
    ['missing_out', 'missing_out'],
    ['time_unverified', 'unverified'],
    ['correction_requested', 'correction'],
  ] as const)('with a punch that is %s is not finished', (state, flag) => {
    const punches = [work('08:00', '12:00'), { type: 'work' as const, state, start: at('12:30'), end: null }]
    expect(spanOf(punches)).toMatchObject({ flags: expect.arrayContaining([flag]), auto: false })
  })

  it('without a shift is proposed as it was clocked, and not approved by itself', () => {
    expect(spanOf([work('09:00', '11:00')], {}, [])).toMatchObject({ paid_s: 7_200, flags: ['no_shift'], auto: false })
  })

  it('that was planned and not clocked is named', () => {
    expect(spanOf([])).toMatchObject({ paid_s: 0, flags: ['no_punch'], auto: false })
  })

  it('of which the afternoon is leave is complete with the morning, and shows no difference', () => {
    const morning = { start: at('08:00'), end: at('11:45'), break_s: 0 }
    expect(spanOf([work('08:00', '11:45')], {}, [morning])).toMatchObject({ paid_s: 13_500, flags: [], auto: true })
  })

  it('of two shifts takes each by itself', () => {
    const shifts = [
      { start: at('06:00'), end: at('10:00'), break_s: 0 },
      { start: at('14:00'), end: at('18:00'), break_s: 0 },
    ]
    const punches = [work('05:58', '10:01'), work('13:20', '18:00')]
    expect(spanOf(punches, {}, shifts)).toMatchObject({ paid_s: 28_800, early_s: 2_400, break_s: 0 })
    expect(spanOf([work('05:58', '10:01')], {}, shifts)).toMatchObject({ paid_s: 14_400, auto: false })
  })
})

it('adds seconds up before it rounds: three days of 7 h 20 are 22.00 hours', () => {
  expect(hundredths(3 * 26_400)).toBe(2_200)
  expect(hundredths(3_618)).toBe(101)
  expect(hundredths(-1_800)).toBe(-50)
})

it('rounds to a step of the clock, half a step up', () => {
  expect(clock(rounded(at('08:02:29'), 5))).toBe('08:00:00')
  expect(clock(rounded(at('08:02:30'), 5))).toBe('08:05:00')
  expect(rounded(17, 0)).toBe(17)
})

it('pays what lies between the first and the last time and is no break, whatever was clocked', () => {
  const moments = fc.uniqueArray(fc.integer({ min: 0, max: 86_399 }), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(moments, fc.constantFrom(0, 1_800, 3_600), fc.constantFrom(0, 300, 3_600), (given, break_s, tolerance_s) => {
      const times = given.toSorted((a, b) => a - b).map(one => at('00:00') + one * 1_000)
      const punches = times
        .slice(1)
        .map((end, place): DayPunch => ({ type: place % 2 ? 'break' : 'work', state: 'closed', start: times[place] ?? end, end }))
      const { intervals, paid_s } = proposeDay([{ ...day, break_s }], punches, { ...rules, tolerance_s })
      const total = intervals.reduce((sum, one) => sum + (one.paid ? one.to - one.from : 0), 0)
      expect(paid_s).toBe(Math.round(total / 1_000))
      for (const [place, one] of intervals.entries()) {
        expect(one.to).toBeGreaterThan(one.from)
        expect(one.from).toBeGreaterThanOrEqual(intervals[place - 1]?.to ?? 0)
      }
    }),
  )
})

describe('days that stay open', () => {
  const say = (key: string, values: Record<string, unknown> = {}) =>
    key.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))
  const day = (key: string) => ({ user_id: 1, work_date: '2026-11-23', key, values: {} })

  it('are said with each reason and how often it is one', () => {
    const own = 'Someone else must approve your own times.'
    expect(leftOpen(say, [], 2)).toBeNull()
    expect(leftOpen(say, [day(own)], 0)).toBe(own)
    expect(leftOpen(say, [day(own), day(own)], 0)).toBe(`Days left open: 2: ${own}`)
    expect(leftOpen(say, [day(own), day('No end.'), day(own)], 4)).toBe(`Days left open: 3: 2 × ${own} 1 × No end.`)
  })
})
