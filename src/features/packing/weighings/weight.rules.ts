/** Whether the weight of a parcel fits what should be in it. */

export interface ExpectedWeight {
  /** Grams: products, what was added, the box and its filler. */
  expected_g: number
  /** Of it, what products without a weight are taken for. */
  unknown_g: number
}
export interface Tolerance {
  weight_tolerance_g: number
  weight_tolerance_percent: number
}

/** Grams by which a parcel may differ: the larger of both settings. */
export const toleranceOf = (expected_g: number, { weight_tolerance_g, weight_tolerance_percent }: Tolerance): number =>
  Math.max(weight_tolerance_g, Math.floor((expected_g * weight_tolerance_percent) / 100))

/** Where more than a fifth of the expected weight is a guess, a difference says nothing. */
const isGuess = ({ expected_g, unknown_g }: ExpectedWeight): boolean => unknown_g * 5 > expected_g

export type WeightVerdict = 'nothing' | 'too_heavy' | 'ok' | 'unchecked' | 'asked'

/** `max_g`: what the shipping method takes at most; null where that is not known. */
export function judgeWeight(weight_g: number, expected: ExpectedWeight, tolerance_g: number, max_g: number | null): WeightVerdict {
  if (weight_g <= 0) return 'nothing'
  if (max_g !== null && weight_g > max_g) return 'too_heavy'
  if (Math.abs(weight_g - expected.expected_g) <= tolerance_g) return 'ok'
  return isGuess(expected) ? 'unchecked' : 'asked'
}

/** What each of so many pieces of the only product without a weight weighs by this weighing; null where that cannot be. */
export function pieceWeight(weight_g: number, { expected_g, unknown_g }: ExpectedWeight, pieces: number): number | null {
  const each = Math.round((weight_g - expected_g + unknown_g) / pieces)
  return pieces > 0 && each > 0 ? each : null
}

/** The grams of a text that a scale sends like a scanner, such as `1.234 kg`; undefined where it is none. */
export function readWeight(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,7}(?:[.,]\d{1,3})?)\s*(kg|g)$/i.exec(text.trim()) ?? []
  if (number === undefined) return undefined
  return Math.round(Number(number.replace(',', '.')) * (unit?.toLowerCase() === 'kg' ? 1_000 : 1))
}
