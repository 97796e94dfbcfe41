/** Classes of Bischoff and Ratcliff (1995), on which packers of containers are compared. */

type Size = readonly [number, number, number]

/** In centimetres. */
export const containerOfClasses: Size = [587, 233, 220]
/** Kinds of pieces in classes 1 to 7. */
export const kindsOfClasses = [3, 5, 8, 10, 12, 15, 20] as const

const modulus = 2 ** 31 - 1
const volume = ([a, b, c]: Size) => a * b * c

/**
 * Instance `p`, as their generator makes it: seed 2502505 + 100 (p − 1), ten draws are discarded, each side may stand upright where it is
 * less than twice the smallest.
 */
export function bischoffRatcliff(
  kinds: number,
  p: number,
): { id: number; size: Size; upright: readonly [boolean, boolean, boolean]; qty: number }[] {
  let x = 2_502_505 + 100 * (p - 1)
  const draw = () => {
    x = (16_807 * x) % modulus
    return x / modulus
  }
  for (let n = 0; n < 10; n++) draw()
  const [low, high] = [
    [30, 25, 20],
    [120, 100, 80],
  ] as const
  const found = Array.from({ length: kinds }, (_, id) => {
    const [a = 1, b = 1, c = 1] = low.map((least, j) => least + Math.floor(draw() * (high[j]! - least + 1))).toSorted((m, n) => n - m)
    return { id, size: [a, b, c] as const, upright: [a / c < 2, b / c < 2, true] as const, qty: 1 }
  })
  let cargo = found.reduce((sum, { size }) => sum + volume(size), 0)
  for (;;) {
    const next = found[Math.floor(draw() * kinds)]!
    if (volume(containerOfClasses) <= cargo + volume(next.size)) return found
    next.qty++
    cargo += volume(next.size)
  }
}
