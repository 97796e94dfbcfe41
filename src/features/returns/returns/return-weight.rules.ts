/** What the weight of an arrived box says about its contents: a hint, and never more. */

const share = 0.15
const least = 200

/** How many grams a box is heavier than its items, where that is remarkable: by more than 15 percent and by more than 200 g. */
export function weightDifference(measured: number | null, expected: number | null): number | null {
  if (measured === null || expected === null || expected === 0) return null
  const difference = measured - expected
  return Math.abs(difference) > least && Math.abs(difference) > expected * share ? difference : null
}
