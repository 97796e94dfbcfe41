/** When a text message may be sent. */
import { describe, expect, it } from 'vitest'
import { isStart, isStop } from './message-states.rules.ts'
import { firstLoudMoment, zonesOf } from './quiet-hours.rules.ts'

const hours = { quiet_from: '21:00', quiet_to: '08:00' }
const inZone = (local: string, zone: string) => new Date(Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds)
const at = (local: string, country: string, zone: string, quiet = hours) =>
  firstLoudMoment(inZone(local, zone), quiet, zonesOf(country, 'Europe/Copenhagen')).toISOString()

describe('a text message', () => {
  it.each([
    ['waits over the night in which clocks go forward', '2026-03-28T22:30', 'DK', 'Europe/Copenhagen', '2026-03-29T06:00:00.000Z'],
    ['waits over the night in which clocks go back', '2026-10-24T21:00', 'DK', 'Europe/Copenhagen', '2026-10-25T07:00:00.000Z'],
    ['is sent a second before the quiet hours', '2026-11-10T20:59:59', 'DK', 'Europe/Copenhagen', '2026-11-10T19:59:59.000Z'],
    ['waits when they begin', '2026-11-10T21:00:00', 'DK', 'Europe/Copenhagen', '2026-11-11T07:00:00.000Z'],
    ['is sent when they end', '2026-11-10T08:00:00', 'DK', 'Europe/Copenhagen', '2026-11-10T07:00:00.000Z'],
    ['to the United States is sent in the evening of the east', '2026-11-10T20:30', 'US', 'America/New_York', '2026-11-11T01:30:00.000Z'],
    ['to the United States waits for the morning of Hawaii', '2026-11-10T08:30', 'US', 'America/New_York', '2026-11-10T18:00:00.000Z'],
    ['to an unknown country follows the company', '2026-11-10T22:00', 'XX', 'Europe/Copenhagen', '2026-11-11T07:00:00.000Z'],
  ])('%s', (_what, local, country, zone, expected) => expect(at(local, country, zone)).toBe(expected))

  it('never waits without quiet hours', () =>
    expect(at('2026-11-10T23:00', 'DK', 'Europe/Copenhagen', { quiet_from: '00:00', quiet_to: '00:00' })).toBe('2026-11-10T22:00:00.000Z'))

  it('waits within quiet hours of one day', () =>
    expect(at('2026-11-10T12:30', 'DK', 'Europe/Copenhagen', { quiet_from: '12:00', quiet_to: '13:00' })).toBe('2026-11-10T12:00:00.000Z'))
})

describe('an answer', () => {
  it.each(['STOP', ' stop. ', 'Stopp!', 'AFMELD', 'abmelden', 'Unsubscribe'])('%j stops messages', text => expect(isStop(text)).toBe(true))
  it.each(['CANCEL', 'END', 'QUIT', 'YES', 'Stop sending the second parcel', ''])('%j does not', text => expect(isStop(text)).toBe(false))
  it.each(['START', 'tilmeld'])('%j takes that back', text => expect(isStart(text)).toBe(true))
})
