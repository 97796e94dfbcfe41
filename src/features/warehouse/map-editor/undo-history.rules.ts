/** Undo and redo: the last hundred states of something that is changed by making a new one. */
import { elementAt } from '#domain/objects.ts'

/** How many steps can be taken back. */
export const mostSteps = 100

export interface History<T> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
  /** What the last step was part of: typing a number in one field is one step, however many digits it has. */
  readonly part: string | null
}

export const beginHistory = <T>(present: T): History<T> => ({ past: [], present, future: [], part: null })

/** Goes on to `next`. Steps of the same `part` in a row become one. */
export function step<T>(history: History<T>, next: T, part: string | null = null): History<T> {
  if (next === history.present) return history
  if (part !== null && part === history.part) return { ...history, present: next, future: [] }
  return { past: [...history.past.slice(1 - mostSteps), history.present], present: next, future: [], part }
}

export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = history
  const before = past.at(-1)
  if (before === undefined) return history
  return { past: past.slice(0, -1), present: before, future: [present, ...future], part: null }
}

export function redo<T>(history: History<T>): History<T> {
  const { past, present, future } = history
  if (future.length === 0) return history
  return { past: [...past, present], present: elementAt(future, 0), future: future.slice(1), part: null }
}
