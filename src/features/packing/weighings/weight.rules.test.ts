/** Weights that are taken, asked about and refused. */
import { expect, it } from 'vitest'
import { judgeWeight, pieceWeight, readWeight, toleranceOf } from './weight.rules.ts'

const usual = { weight_tolerance_g: 200, weight_tolerance_percent: 10 }

it.each<[number, number, string]>([
  [480, 655, 'ok'],
  [480, 680, 'ok'],
  [480, 681, 'asked'],
  [2_450, 2_695, 'ok'],
  [2_450, 2_696, 'asked'],
  [900, 480, 'asked'],
  [15, 0, 'nothing'],
  [30_400, 30_400, 'too_heavy'],
])('%i g expected and %i g on the scale: %s', (expected_g, weight_g, verdict) => {
  expect(judgeWeight(weight_g, { expected_g, unknown_g: 0 }, toleranceOf(expected_g, usual), 30_000)).toBe(verdict)
})

it('a parcel of which more than a fifth is guessed is not asked about', () => {
  const guessed = { expected_g: 1_850, unknown_g: 1_000 }
  expect(judgeWeight(1_310, guessed, toleranceOf(1_850, usual), null)).toBe('unchecked')
  expect(pieceWeight(1_310, guessed, 2)).toBe(230)
  expect(judgeWeight(1_310, { expected_g: 1_850, unknown_g: 370 }, toleranceOf(1_850, usual), null)).toBe('asked')
  expect(pieceWeight(700, guessed, 2)).toBeNull()
})

it.each<[string, number | undefined]>([
  ['1.234 kg', 1_234],
  ['1,5kg', 1_500],
  ['1234 g', 1_234],
  ['0.0005 kg', undefined],
  ['1234', undefined],
  ['1.2.3 kg', undefined],
  ['5701234567890', undefined],
])('%s is a weight of %s g', (text, grams) => {
  expect(readWeight(text)).toBe(grams)
})
