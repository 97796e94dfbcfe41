/** Type guards for values of unknown shape, such as stored ones. The browser runs them before its first paint, where a library would be too large. */
import { entriesOf, isOneOf, isRecord } from './objects.ts'

export type Guard<T> = (value: unknown) => value is T

export const isText = (value: unknown): value is string => typeof value === 'string'
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
export const isWholeNumber = (value: unknown): value is number => Number.isSafeInteger(value)

export const among =
  <T>(values: readonly T[]): Guard<T> =>
  (value): value is T =>
    isOneOf(values, value)

export const nullable =
  <T>(guard: Guard<T>): Guard<T | null> =>
  (value): value is T | null =>
    value === null || guard(value)

export const optional =
  <T>(guard: Guard<T>): Guard<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || guard(value)

export const listOf =
  <T>(guard: Guard<T>): Guard<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(guard)

export const mapOf =
  <T>(guard: Guard<T>): Guard<Record<string, T>> =>
  (value): value is Record<string, T> =>
    isRecord(value) && Object.values(value).every(guard)

/** Further fields are allowed. */
export const objectOf =
  <T extends object>(fields: { [K in keyof T]-?: Guard<T[K]> }): Guard<T> =>
  (value): value is T =>
    isRecord(value) && entriesOf(fields).every(([name, guard]) => guard(value[name]))
