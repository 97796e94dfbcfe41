/** When the alarm of a pickup rises and ends, and who is mailed of it. */
import { describe, expect, it } from 'vitest'
import { alarmStep, isMailed, isQuiet, stageAt } from './alarm.rules.ts'

describe('the stage', () => {
  it.each([
    [61, null],
    [60, 'watch'],
    [31, 'watch'],
    [30, 'soon'],
    [16, 'soon'],
    [15, 'urgent'],
    [1, 'urgent'],
    [0, null],
    [-5, null],
  ])('%i minutes before the pickup is %s', (minutes, stage) => {
    expect(stageAt(minutes * 60_000)).toBe(stage)
  })
})

describe('two looks at the forecast', () => {
  it.each([
    [43, 41, 'rise'],
    [0, 41, 'keep'],
    [43, 0, 'keep'],
    [0, 0, 'end'],
    [null, 41, 'keep'],
    [undefined, 41, 'keep'],
    [null, null, 'end'],
    [0, null, 'end'],
  ])('with %s and %s late: %s', (before, now, step) => {
    expect(alarmStep(before, now)).toBe(step)
  })
})

describe('quiet hours', () => {
  it.each([
    ['12:00', null, null, false],
    ['12:00', '12:00', '13:00', true],
    ['13:00', '12:00', '13:00', false],
    ['23:30', '22:00', '06:00', true],
    ['05:59', '22:00', '06:00', true],
    ['06:00', '22:00', '06:00', false],
    ['12:00', '06:00', '06:00', false],
  ])('at %s, quiet from %s until %s: %s', (clock, from, until, quiet) => {
    expect(isQuiet(clock, from, until)).toBe(quiet)
  })
})

it.each([
  ['watch', false, false],
  ['soon', false, true],
  ['soon', true, false],
  ['urgent', true, true],
  ['missed', false, false],
] as const)('recipients get a mail of %s at once (quiet: %s): %s', (stage, quiet, mailed) => {
  expect(isMailed(stage, quiet)).toBe(mailed)
})
