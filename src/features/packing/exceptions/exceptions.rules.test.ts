/** When an exception is due. The table is that of the design: station hours from 06:00 to 18:00, Copenhagen. */
import { expect, it } from 'vitest'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { addStationMinutes, dueAt, kindOfRefusal } from './exceptions.rules.ts'

const usual = CompanySettings.parse({})
const always = CompanySettings.parse({ working_days: [1, 2, 3, 4, 5, 6, 7], exceptions: { from: '00:00', to: '24:00' } })
const at = (text: string) => Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/Copenhagen').toInstant().toString()
const date = (instant: string) => new Date(instant)

it.each([
  ['inside the hours', '2026-03-03T14:00', '2026-03-03T16:00', 'label_error', '2026-03-03T14:30'],
  ['ten minutes at least, though its courier comes', '2026-03-03T15:20', '2026-03-03T16:00', 'label_error', '2026-03-03T15:30'],
  ['ten minutes at least, though its courier has gone', '2026-03-03T17:30', '2026-03-03T16:00', 'short', '2026-03-03T17:40'],
  ['over a weekend', '2026-03-06T17:50', '2026-03-09T16:00', 'label_error', '2026-03-09T06:20'],
  ['an hour before its courier comes', '2026-03-03T14:00', '2026-03-03T16:00', 'other', '2026-03-03T15:00'],
  ['before the hours', '2026-03-03T04:00', null, 'short', '2026-03-03T07:00'],
] as const)('is due %s', (_, now, ship_by, kind, due) => {
  expect(dueAt(kind, { now: date(at(now)), ship_by: ship_by && at(ship_by), settings: usual }).toISOString()).toBe(
    date(at(due)).toISOString(),
  )
})

it.each([
  ['in spring', '2026-03-29T00:50:00Z', '2026-03-29T01:20:00Z'],
  ['in autumn', '2026-10-25T00:50:00Z', '2026-10-25T01:20:00Z'],
])('counts minutes that pass while the clock changes %s', (_, now, due) => {
  expect(dueAt('label_error', { now: date(now), ship_by: null, settings: always }).toISOString()).toBe(date(due).toISOString())
})

it('counts every minute where no day is a working day', () => {
  const settings = { ...usual, working_days: [] }
  expect(addStationMinutes(date('2026-03-07T02:00:00Z'), 90, settings).toISOString()).toBe('2026-03-07T03:30:00.000Z')
})

it('reaches over as many days as the minutes need', () => {
  expect(addStationMinutes(date(at('2026-03-03T17:00')), 13 * 60, usual).toISOString()).toBe(date(at('2026-03-04T18:00')).toISOString())
})

it.each([
  ['customs_lines_missing', 'parcels.0.lines', 'customs'],
  ['hs_code_invalid', 'parcels.0.lines.2.hs_code', 'customs'],
  ['courier_refused', 'customs.terms', 'customs'],
  ['courier_refused', 'parcels.0.lines.0.origin', 'customs'],
  ['courier_refused', 'recipient.postcode', 'label_error'],
  ['weight_too_high', 'parcels.0.weight_g', 'label_error'],
  [null, null, 'label_error'],
] as const)('a label refused with %s at %s is an exception of kind %s', (error_code, error_field, kind) => {
  expect(kindOfRefusal({ error_code, error_field })).toBe(kind)
})
