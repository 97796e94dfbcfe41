/** Answers of the database that are believed for a while, and forgotten all at once when something changes. */
import type { CacheName } from '#contract/cache-names.ts'
import { createCache } from '#platform/caches/caches.ts'

export interface TtlCache<T> {
  /** What is remembered under this name at this moment. */
  get(name: string, at: number): T | undefined
  /** Call it before asking: what it answers keeps the answer, unless everything was forgotten meanwhile. */
  beginFill(): (name: string, answer: T, until: number) => void
  clear(): void
}

const most = 10_000

/** `operatorOf` names the operator of an answer; without it the answers belong to none. */
export function createTtlCache<T>(name: CacheName, operatorOf?: (answer: T, name: string) => number): TtlCache<T> {
  const kept = createCache<string, { name: string; answer: T; until: number }>(name, {
    most,
    ...(operatorOf && { operatorOf: ({ answer, name: key }) => operatorOf(answer, key) }),
  })
  let forgotten = 0
  return {
    get(key, at) {
      const known = kept.peek(key)
      const found = known !== undefined && known.until > at
      kept.count(found)
      return found ? known.answer : undefined
    },
    beginFill() {
      const before = forgotten
      return (key, answer, until) => {
        if (before === forgotten) kept.set(key, { name: key, answer, until })
      }
    },
    clear() {
      forgotten++
      kept.clear()
    },
  }
}
