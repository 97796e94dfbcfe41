/** Parsing of dates, and detection of ambiguous ones. */
import { TZDate } from '@date-fns/tz'
import { describe, expect, it } from 'vitest'
import { measureCpu } from '#test/cpu-cost.ts'
import { detectDates, readDate } from './dates.ts'

describe('dates', () => {
  it.each([
    ['12-01-2010 08:26', 'mdy', '2010-12-01T08:26:00.000Z'],
    ['12-01-2010 08:26', 'dmy', '2010-01-12T08:26:00.000Z'],
    ['01.12.2010', 'dmy', '2010-12-01T00:00:00.000Z'],
    ['12/1/10 8:26 PM', 'mdy', '2010-12-01T20:26:00.000Z'],
    ['12/1/2010 12:05 am', 'mdy', '2010-12-01T00:05:00.000Z'],
    ['2026-11-10 10:30', 'ymd', '2026-11-10T10:30:00.000Z'],
    ['2026-11-10T10:30:00', 'iso', '2026-11-10T10:30:00.000Z'],
    ['2026-11-10T10:30:00+01:00', 'dmy', '2026-11-10T09:30:00.000Z'],
    ['20261110', 'ymd', '2026-11-10T00:00:00.000Z'],
    ['2026-11-10 10:30:00 +0100', 'dmy', '2026-11-10T09:30:00.000Z'],
    ['2026-11-10 10:30:00 UTC', 'dmy', '2026-11-10T10:30:00.000Z'],
    ['10/11/2026 10:30 +0100', 'dmy', '2026-11-10T09:30:00.000Z'],
    ['11/10/2026 10:30 -05:00', 'mdy', '2026-11-10T15:30:00.000Z'],
    ['10. november 2026 kl. 10.30', 'mdy', '2026-11-10T10:30:00.000Z'],
    ['Nov 10, 2026 10:30 PM', 'dmy', '2026-11-10T22:30:00.000Z'],
    ['Tue, 10 Nov 2026 10:30:00 +0100', 'ymd', '2026-11-10T09:30:00.000Z'],
    ['Di., 10. Dez. 2026', 'iso', '2026-12-10T00:00:00.000Z'],
    ['10-Mai-26', 'iso', null],
    ['Nov-10-26', 'dmy', '2026-11-10T00:00:00.000Z'],
    ['Nov-10-2026 14:05', 'iso', '2026-11-10T14:05:00.000Z'],
    ['Nov-31-26', 'iso', null],
    ['3. März 2026', 'iso', '2026-03-03T00:00:00.000Z'],
    ['tisdag den 3 juni 2026 14:05', 'iso', '2026-06-03T14:05:00.000Z'],
    ['3 Nonsense 2026', 'iso', null],
    ['31-02-2010', 'dmy', null],
    ['29-02-2024', 'dmy', '2024-02-29T00:00:00.000Z'],
    ['29-02-2023', 'dmy', null],
    ['13-01-2010', 'mdy', null],
    ['12-01-2010 24:00', 'mdy', null],
    ['yesterday', 'dmy', null],
    ['', 'iso', null],
  ] as const)('%j read %s is %s', (text, order, instant) => {
    expect(readDate(text, order, 'UTC')).toBe(instant)
  })

  it('are read in the time zone of the shop, summer and winter', () => {
    expect(readDate('2026-01-10 10:30', 'ymd', 'Europe/Copenhagen')).toBe('2026-01-10T09:30:00.000Z')
    expect(readDate('2026-07-10 10:30', 'ymd', 'Europe/Copenhagen')).toBe('2026-07-10T08:30:00.000Z')
    expect(readDate('2026-03-29 02:30', 'ymd', 'Europe/Copenhagen')).toBe('2026-03-29T01:30:00.000Z')
  })

  it.each([
    [['13-01-2010', '02-01-2010'], 'dmy', false],
    [['01-13-2010', '01-02-2010'], 'mdy', false],
    [['2010-12-01'], 'ymd', false],
    [['12-01-2010 08:26', '12-05-2010 16:24'], 'mdy', true],
    [['01-12-2010', '05-12-2010'], 'dmy', true],
    [['12-01-2010'], 'dmy', true],
    [['05.06.2026'], 'dmy', false],
    [['5.6.26 10:30', '06.06.2026'], 'dmy', false],
    [['06.13.2026', '06.05.2026'], 'mdy', false],
    [['01-01-2010', '02-02-2010'], 'dmy', false],
    [['2026-11-10T10:30:00Z'], 'iso', false],
    [['', 'n/a'], 'iso', false],
  ] as const)('of a column %j are %s, doubtful: %s', (values, order, doubtful) => {
    expect(detectDates(values)).toMatchObject({ order, doubtful })
  })

  it('are rejected at once in a cell of a million spaces', () => {
    const effort = measureCpu()
    expect(readDate(`1${' '.repeat(1_000_000)}x`, 'dmy', 'UTC')).toBeNull()
    expect(effort()).toBeLessThan(200)
  })

  it.each(['Europe/Copenhagen', 'America/St_Johns', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Pacific/Apia'])(
    'on the clock of %s agree with its rules at every quarter of an hour around its changes',
    zone => {
      for (let day = 1; day <= 365; day++)
        for (const hour of [0, 1, 2, 3, 23])
          for (const minute of [0, 45]) {
            const date = new Date(Date.UTC(2011, 0, day))
            const time = [2011, date.getUTCMonth(), date.getUTCDate(), hour, minute] as const
            const text = `2011-${time[1] + 1}-${time[2]} ${hour}:${String(minute).padStart(2, '0')}`
            expect(readDate(text, 'ymd', zone), text).toBe(new Date(new TZDate(...time, 0, zone).getTime()).toISOString())
          }
    },
  )
})
