import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aheadTolerance, clockTolerance, longestGapHours } from './punch.codes.ts'
import { firstName, isForgotten, isOpen, type KeptTap, problemOf, repeats, secondsOf, sumsOf, timeOfTap } from './punch.rules.ts'

const at = (text: string) => Date.parse(`2026-11-25T${text}Z`)
const iso = (text: string) => new Date(at(text)).toISOString()

describe('two taps of one kind', () => {
  it.each([
    ['06:00:00.000', '06:00:00.000', true],
    ['06:00:00.000', '06:00:04.900', true],
    ['06:00:00.000', '06:00:05.000', false],
  ])('at %s and %s count once: %s', (first, second, once) => {
    expect(repeats(iso(first), at(second))).toBe(once)
  })
})

describe('a forgotten clock-out', () => {
  it('is one that is missing for fourteen hours', () => {
    expect(isForgotten('2026-11-24T16:00:01Z', at('06:00:00'))).toBe(false)
    expect(isForgotten('2026-11-24T16:00:00Z', at('06:00:00'))).toBe(true)
    expect(isForgotten(null, at('06:00:00'))).toBe(false)
  })

  it('counts no second, since its end is not guessed', () => {
    expect(secondsOf({ type: 'work', state: 'missing_out', started_at: iso('06:00:00'), ended_at: null }, at('20:00:00'))).toBe(0)
    expect(secondsOf({ type: 'work', state: 'open', started_at: iso('06:00:00'), ended_at: null }, at('07:00:00'))).toBe(3_600)
  })
})

it('adds up meetings and cleaning as work, and breaks apart', () => {
  const punch = (type: 'work' | 'break' | 'meeting', from: string, to: string) => ({
    ...{ type, state: 'closed' as const, started_at: iso(from), ended_at: iso(to) },
  })
  const punches = [punch('work', '06:00:00', '09:00:00'), punch('break', '09:00:00', '09:30:00'), punch('meeting', '09:30:00', '10:00:00')]
  expect(sumsOf(punches, at('12:00:00'))).toEqual({ worked_s: 12_600, break_s: 1_800 })
})

it('counts real time where the clocks change', () => {
  const night = (started_at: string, ended_at: string) => secondsOf({ type: 'work', state: 'closed', started_at, ended_at }, 0) / 3_600
  // 28 to 29 March and 24 to 25 October 2026 in Copenhagen, 22:00 to 06:00.
  expect(night('2026-03-28T22:00:00+01:00', '2026-03-29T06:00:00+02:00')).toBe(7)
  expect(night('2026-10-24T22:00:00+02:00', '2026-10-25T06:00:00+01:00')).toBe(9)
})

describe('a tap that was kept without network', () => {
  const tap = (over: Partial<KeptTap> = {}): KeptTap => ({
    mark_at: at('05:59:59.000'),
    signed: true,
    same_boot: true,
    elapsed_ms: 301_000,
    device_elapsed_ms: 301_000,
    received_at: at('06:11:00'),
    previous_at: null,
    ...over,
  })

  it('happened at the server time of its mark and what the device measured since', () => {
    expect(timeOfTap(tap())).toEqual({ kind: 'exact', at: at('06:05:00') })
  })

  it.each([
    ['the page was loaded again', { same_boot: false }],
    ['the device slept', { device_elapsed_ms: 307_000 }],
    ['the measure runs backwards', { elapsed_ms: -1 }],
    ['it lies before the tap before it', { previous_at: at('06:06:00') }],
  ])('is not verified where %s', (_, over) => {
    const given = tap(over)
    expect(timeOfTap(given)).toEqual({ kind: 'between', from: given.previous_at ?? at('05:59:59'), to: at('06:11:00') })
  })

  it.each([
    ['its mark is not signed', { signed: false }, 'unsealed'],
    ['it is older than a day', { received_at: at('06:11:00') + 86_400_000 }, 'too_old'],
    ['it lies ahead of its arrival', { received_at: at('06:04:57') }, 'unsealed'],
  ])('is rejected where %s', (_, over, why) => {
    expect(timeOfTap(tap(over))).toMatchObject({ kind: 'rejected', why })
  })

  it('never lies after its arrival nor before its mark, whatever a device says', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer(),
        fc.boolean(),
        fc.integer({ min: 0, max: 86_000_000 }),
        (elapsed_ms, device_elapsed_ms, same_boot, waited) => {
          const given = tap({ elapsed_ms, device_elapsed_ms, same_boot, received_at: at('05:59:59') + waited })
          const time = timeOfTap(given)
          if (time.kind === 'exact') {
            expect(time.at).toBeGreaterThanOrEqual(given.mark_at)
            expect(time.at).toBeLessThanOrEqual(given.received_at)
          }
          if (time.kind === 'between') expect([time.from, time.to]).toEqual([given.mark_at, given.received_at])
        },
      ),
    )
  })
})

it.each([
  ['08:00:00', '08:00:00', 'punch_order'],
  ['08:00:00', '12:00:01', 'punch_future'],
  ['08:00:00', '12:00:00', null],
])('finds what is wrong with %s to %s: %s', (from, to, problem) => {
  expect(problemOf({ started_at: iso(from), ended_at: iso(to) }, at('12:00:00'))).toBe(problem)
})

it('refuses an entry of more than a day', () => {
  expect(problemOf({ started_at: '2026-11-23T06:00:00Z', ended_at: '2026-11-24T06:00:01Z' }, at('12:00:00'))).toBe('punch_too_long')
})

it.each([
  ['open', null, true],
  ['time_unverified', null, true],
  ['open', iso('07:00:00'), false],
  ['closed', null, false],
  ['missing_out', null, false],
] as const)('a punch that is %s and ends at %s is open: %s', (state, ended_at, open) => {
  expect(isOpen({ state, ended_at })).toBe(open)
})

it.each([
  ['deleted', iso('06:00:00'), iso('07:00:00'), 0],
  ['closed', null, iso('07:00:00'), 0],
  ['closed', iso('07:00:00'), iso('06:00:00'), 0],
  ['closed', iso('06:00:00.000'), iso('06:00:01.600'), 2],
  ['time_unverified', iso('06:00:00'), null, 0],
] as const)('a punch that is %s from %s to %s has %d seconds', (state, started_at, ended_at, seconds) => {
  expect(secondsOf({ type: 'work', state, started_at, ended_at }, at('08:00:00'))).toBe(seconds)
})

it('a first tap repeats none', () => expect(repeats(null, at('06:00:00'))).toBe(false))

describe('the limits of a kept tap', () => {
  const received_at = at('12:00:00')
  const kept = (over: Partial<KeptTap>): KeptTap => ({
    ...{
      mark_at: received_at - 60_000,
      signed: true,
      same_boot: true,
      elapsed_ms: 30_000,
      device_elapsed_ms: 30_000,
      received_at,
      previous_at: null,
    },
    ...over,
  })
  const longest = longestGapHours * 3_600_000

  it('take a mark that is just as old as it may be', () => {
    expect(timeOfTap(kept({ mark_at: received_at - longest }))).toMatchObject({ kind: 'exact' })
    expect(timeOfTap(kept({ mark_at: received_at - longest - 1 }))).toMatchObject({ kind: 'rejected', why: 'too_old' })
  })

  it('take a device whose own clock differs by just as much as it may', () => {
    expect(timeOfTap(kept({ device_elapsed_ms: 30_000 + clockTolerance }))).toMatchObject({ kind: 'exact' })
    expect(timeOfTap(kept({ device_elapsed_ms: 30_001 + clockTolerance }))).toMatchObject({ kind: 'between' })
    expect(timeOfTap(kept({ device_elapsed_ms: 29_999 - clockTolerance }))).toMatchObject({ kind: 'between' })
  })

  it('take a tap at its mark, and none before it', () => {
    expect(timeOfTap(kept({ elapsed_ms: 0, device_elapsed_ms: 0 }))).toEqual({ kind: 'exact', at: received_at - 60_000 })
    expect(timeOfTap(kept({ elapsed_ms: -1, device_elapsed_ms: -1 }))).toMatchObject({ kind: 'between' })
  })

  it('take a tap that is a little ahead of the server for one of now, and refuse one that is further ahead', () => {
    const ahead = (ms: number) => timeOfTap(kept({ elapsed_ms: 60_000 + ms, device_elapsed_ms: 60_000 + ms }))
    expect(ahead(aheadTolerance)).toEqual({ kind: 'exact', at: received_at })
    expect(ahead(aheadTolerance + 1)).toEqual({ kind: 'rejected', why: 'unsealed', estimate: received_at + aheadTolerance + 1 })
  })

  it('take a tap at the moment of the one before it', () => {
    expect(timeOfTap(kept({ previous_at: received_at - 30_000 }))).toEqual({ kind: 'exact', at: received_at - 30_000 })
    expect(timeOfTap(kept({ previous_at: received_at - 29_999 }))).toEqual({ kind: 'between', from: received_at - 29_999, to: received_at })
  })
})

it.each([
  ['Kim Lund', 'Kim'],
  ['  Kim   Lund ', 'Kim'],
  ['Kim', 'Kim'],
  ['', ''],
])('the first name of %j is %j', (name, first) => expect(firstName(name)).toBe(first))
