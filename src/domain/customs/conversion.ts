/** Sums of customs papers in another currency, in whole numbers: what rounding leaves over goes on the largest line. */
import { decimalsOf } from '#domain/money.ts'

/** Decimals of a rate, on paper and in sums: what a paper says can be calculated again. */
const scale = 8

/** Converts minor units of one currency to minor units of another, half up. `rate` is decimal text: what one unit is worth. */
export function converted(amount: number, { from, to, rate }: { from: string; to: string; rate: string }): number {
  const [whole = '0', fraction = ''] = rate.split('.')
  const times = BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale)) * 10n ** BigInt(decimalsOf(to))
  const by = 10n ** BigInt(scale + decimalsOf(from))
  const doubled = (BigInt(Math.abs(amount)) * times * 2n + by) / (by * 2n)
  return amount < 0 ? -Number(doubled) : Number(doubled)
}

const digitsOf = (text: string): { whole: bigint; places: number } => {
  const [whole = '0', fraction = ''] = text.split('.')
  return { whole: BigInt(whole + fraction), places: fraction.length }
}

/** What one unit of a currency is worth in another, where a third one buys `from` of the one and `to` of the other; half up. */
export function crossRate(from: string, to: string): string {
  const [one, other] = [digitsOf(from), digitsOf(to)]
  const numerator = other.whole * 10n ** BigInt(one.places + scale)
  const denominator = one.whole * 10n ** BigInt(other.places)
  const digits = String((numerator * 2n + denominator) / (denominator * 2n)).padStart(scale + 1, '0')
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '')
}

/** Shares a whole amount by weights, the rest to the largest remainders, of equal ones to the first. */
export function shared(amount: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const by = sum > 0 ? weights : weights.map(() => 1)
  const all = sum > 0 ? sum : weights.length
  const sign = amount < 0 ? -1 : 1
  const whole = Math.abs(amount)
  const shares = by.map(weight => Math.floor((whole * weight) / all))
  const rest = whole - shares.reduce((total, share) => total + share, 0)
  const order = by
    .map((weight, i) => ({ i, left: ((whole * weight) / all) % 1 }))
    .toSorted((one, other) => other.left - one.left || one.i - other.i)
    .slice(0, rest)
  for (const { i } of order) shares[i] = (shares[i] ?? 0) + 1
  return sign < 0 ? shares.map(share => (share === 0 ? 0 : -share)) : shares
}

/** Each amount converted, and their sum converted as one: the rest is added to the largest, of equal ones to the first. */
export function convertedLines(
  amounts: readonly number[],
  currencies: { from: string; to: string; rate: string },
): { amount: number; rounding: number }[] {
  const lines = amounts.map(amount => ({ amount: converted(amount, currencies), rounding: 0 }))
  const sum = amounts.reduce((total, amount) => total + amount, 0)
  const rest = converted(sum, currencies) - lines.reduce((total, line) => total + line.amount, 0)
  const largest = lines.reduce<(typeof lines)[number] | undefined>(
    (most, line) => (most && most.amount >= line.amount ? most : line),
    undefined,
  )
  if (largest && rest !== 0) {
    largest.amount += rest
    largest.rounding = rest
  }
  return lines
}

/** A line's price after its own discount and its part of the order's. */
export function netOfDiscount(lines: readonly number[], discount: number): number[] {
  const shares = shared(discount, lines)
  return lines.map((line, i) => line - (shares[i] ?? 0))
}
