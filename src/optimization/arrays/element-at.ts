/** Objects of a list by an index that must exist. */

/** Throws a RangeError where there is none, instead of an `undefined` that shows itself far away. */
export const elementAt = <T extends object>(list: readonly T[], index: number): T => list[index] ?? outside(index)

function outside(index: number): never {
  throw new RangeError(`There is no element ${index}`)
}
