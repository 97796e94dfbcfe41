/** Answers of the database that are believed for a while, and forgotten all at once when something changes. */

export interface TtlCache<T> {
  /** What is remembered under this name at this moment. */
  get(name: string, at: number): T | undefined
  /** Call it before asking: what it answers keeps the answer, unless everything was forgotten meanwhile. */
  beginFill(): (name: string, answer: T, until: number) => void
  clear(): void
}

const most = 10_000

export function createTtlCache<T>(): TtlCache<T> {
  const kept = new Map<string, { answer: T; until: number }>()
  let forgotten = 0
  return {
    get(name, at) {
      const known = kept.get(name)
      return known && known.until > at ? known.answer : undefined
    },
    beginFill() {
      const before = forgotten
      return (name, answer, until) => {
        if (before !== forgotten) return
        if (kept.size >= most) kept.clear()
        kept.set(name, { answer, until })
      }
    },
    clear() {
      forgotten++
      kept.clear()
    },
  }
}
