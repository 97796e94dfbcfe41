/** Answers of the database that are believed for a while, and forgotten all at once when something changes. */

export interface ShortMemory<T> {
  /** What is remembered under this name at this moment. */
  of(name: string, at: number): T | undefined
  /** Call it before asking: what it answers keeps the answer, unless everything was forgotten meanwhile. */
  asking(): (name: string, answer: T, until: number) => void
  forget(): void
}

const most = 10_000

export function shortMemory<T>(): ShortMemory<T> {
  const kept = new Map<string, { answer: T; until: number }>()
  let forgotten = 0
  return {
    of(name, at) {
      const known = kept.get(name)
      return known && known.until > at ? known.answer : undefined
    },
    asking() {
      const before = forgotten
      return (name, answer, until) => {
        if (before !== forgotten) return
        if (kept.size >= most) kept.clear()
        kept.set(name, { answer, until })
      }
    },
    forget() {
      forgotten++
      kept.clear()
    },
  }
}
