/** What a process remembers of the database and of files: counted by name, so that it can be shown and emptied. */

import { type CacheName, cacheNames } from '#contract/cache-names.ts'

/** Figures of one cache. Those of several processes are added up. */
export interface CacheFigures {
  name: CacheName
  entries: number
  /** Estimated from some of the entries. */
  bytes: number
  /** In the last hour. */
  hits: number
  misses: number
  /** When the oldest entry was made, in milliseconds; null without entries. */
  oldest: number | null
  /** Whether entries belong to no operator. */
  shared: boolean
}

interface CacheOptions<T> {
  /** As many entries as are kept; then all are forgotten. */
  most: number
  /** The operator that an entry belongs to; without it all operators share the entries. */
  operatorOf?: (value: T) => number
  /** Bytes of an entry; without it the length of its JSON. */
  bytesOf?: (value: T) => number
}

export interface Cache<K, T> {
  /** What is remembered; it counts as found or not found. */
  get(key: K): T | undefined
  /** The same, uncounted. */
  peek(key: K): T | undefined
  set(key: K, value: T): void
  delete(key: K): void
  /** In the order in which they were set. */
  entries(): [K, T][]
  clear(): void
  /** Counts a question as found or not, where the caller decides what counts. */
  count(found: boolean): void
}

interface Kept {
  figures(operator_id: number): CacheFigures
  empty(operator_id: number, shared: boolean): void
}

const all = new Map<CacheName, Set<Kept>>()

const minute = 60_000
const minutes = 60
/** As many entries are measured: all of them would take too long. */
const measured = 20

/** Found and not found in each of the last sixty minutes. */
function hourCounts() {
  const slots = Array.from({ length: minutes }, () => ({ minute: -1, hits: 0, misses: 0 }))
  const slotOf = (now: number) => {
    const at = Math.floor(now / minute)
    const slot = slots[at % minutes] ?? { minute: at, hits: 0, misses: 0 }
    if (slot.minute !== at) Object.assign(slot, { minute: at, hits: 0, misses: 0 })
    return slot
  }
  return {
    count(found: boolean) {
      const slot = slotOf(Date.now())
      if (found) slot.hits++
      else slot.misses++
    },
    sums() {
      const from = Math.floor(Date.now() / minute) - minutes
      const recent = slots.filter(slot => slot.minute > from)
      return { hits: recent.reduce((sum, slot) => sum + slot.hits, 0), misses: recent.reduce((sum, slot) => sum + slot.misses, 0) }
    },
  }
}

/** Several caches may have one name: they are shown and emptied together. */
export function createCache<K, T>(name: CacheName, { most, operatorOf, bytesOf = jsonBytes }: CacheOptions<T>): Cache<K, T> {
  const kept = new Map<K, { value: T; at: number }>()
  const counts = hourCounts()
  const isOf = (value: T, operator_id: number) => operatorOf === undefined || operatorOf(value) === operator_id
  const part: Kept = {
    figures(operator_id) {
      const own = [...kept.values()].filter(({ value }) => isOf(value, operator_id))
      const step = Math.max(1, Math.floor(own.length / measured))
      const some = own.filter((_, at) => at % step === 0).slice(0, measured)
      const bytes = some.reduce((sum, { value }) => sum + bytesOf(value), 0)
      return {
        name,
        entries: own.length,
        bytes: some.length === 0 ? 0 : Math.round((bytes / some.length) * own.length),
        ...counts.sums(),
        oldest: own.reduce<number | null>((oldest, { at }) => (oldest === null || at < oldest ? at : oldest), null),
        shared: operatorOf === undefined,
      }
    },
    empty(operator_id, shared) {
      if (operatorOf === undefined) {
        if (shared) kept.clear()
      } else for (const [key, { value }] of kept) if (operatorOf(value) === operator_id) kept.delete(key)
    },
  }
  const parts = all.get(name) ?? new Set()
  all.set(name, parts.add(part))
  return {
    get(key) {
      const known = kept.get(key)
      counts.count(known !== undefined)
      return known?.value
    },
    peek: key => kept.get(key)?.value,
    set(key, value) {
      if (kept.size >= most && !kept.has(key)) kept.clear()
      kept.set(key, { value, at: Date.now() })
    },
    delete: key => void kept.delete(key),
    entries: () => [...kept].map(([key, { value }]) => [key, value]),
    clear: () => kept.clear(),
    count: counts.count,
  }
}

function jsonBytes(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}

const addUp = (name: CacheName, some: readonly CacheFigures[]): CacheFigures => {
  const sum = (field: 'entries' | 'bytes' | 'hits' | 'misses') => some.reduce((total, one) => total + one[field], 0)
  const ages = some.flatMap(one => one.oldest ?? [])
  return {
    name,
    entries: sum('entries'),
    bytes: sum('bytes'),
    hits: sum('hits'),
    misses: sum('misses'),
    oldest: ages.length === 0 ? null : Math.min(...ages),
    shared: some.some(one => one.shared),
  }
}

/** The figures of one operator in this process. */
export const cacheFigures = (operator_id: number): CacheFigures[] =>
  cacheNames.map(name =>
    addUp(
      name,
      [...(all.get(name) ?? [])].map(part => part.figures(operator_id)),
    ),
  )

/** The same of several processes in one. */
export const sumCacheFigures = (processes: readonly (readonly CacheFigures[])[]): CacheFigures[] =>
  cacheNames.map(name =>
    addUp(
      name,
      processes.flatMap(figures => figures.filter(one => one.name === name)),
    ),
  )

/** Empties one cache or all in this process: the entries of one operator, and with `shared` those that belong to none. */
function emptyCaches(name: CacheName | undefined, operator_id: number, shared: boolean): void {
  for (const one of name === undefined ? cacheNames : [name]) for (const part of all.get(one) ?? []) part.empty(operator_id, shared)
}

/**
 * The id of a notice of the topic `cache`, which tells other processes what to empty: caches are numbered from 1, 0 is all of them,
 * and from 100 on entries that belong to no operator go too.
 */
export const emptyingId = (name: CacheName | undefined, shared: boolean): number =>
  (name === undefined ? 0 : cacheNames.indexOf(name) + 1) + (shared ? 100 : 0)

/** Does what such a notice says. */
export function emptyByNotice(id: number, operator_id: number): void {
  const name = cacheNames[(id % 100) - 1]
  emptyCaches(name, operator_id, id >= 100)
}
