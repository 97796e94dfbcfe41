/** Typed keys, entries and elements of plain objects, lists and maps. */

/** The keys of an object whose type names all of them. */
export const keysOf = <T extends object>(object: T): (keyof T & string)[] => Object.keys(object) as (keyof T & string)[]

/** The entries of an object whose type names all of its keys. */
export const entriesOf = <T extends object>(object: T): [keyof T & string, T[keyof T & string]][] =>
  Object.entries(object) as [keyof T & string, T[keyof T & string]][]

/** An object with a value for each of the keys. */
export const recordOf = <K extends string, V>(keys: readonly K[], value: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map(key => [key, value(key)])) as Record<K, V>

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
/** The fields that are set, so that an absent field and `undefined` mean the same. */
export const definedFields = <T extends object>(object: T): Defined<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>

/** True for an object that is no list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for a key of the object itself; inherited ones such as `toString` are none. */
export const isKeyOf = <T extends object>(object: T, key: PropertyKey): key is keyof T => Object.hasOwn(object, key)

/** True for one of the values. */
export function isOneOf<T>(values: readonly T[], value: unknown): value is T {
  const all: readonly unknown[] = values
  return all.includes(value)
}

/** Throws a RangeError where there is none, instead of an `undefined` that shows itself far away. */
export function elementAt<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index]
  if (element === undefined) throw new RangeError(`There is no element ${index}`)
  return element
}

/** The value of a key that must be there: throws a RangeError where it is not. */
export function valueAt<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key)
  if (value === undefined) throw new RangeError(`There is no value for ${String(key)}`)
  return value
}
