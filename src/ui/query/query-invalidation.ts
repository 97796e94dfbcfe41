/** Keeps what is shown true: whatever a change makes old is asked for again. */
import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'
import { concerns, type Interest, interestsChanged, onChanges, onReconnect } from './change-stream.ts'

interface InvalidationOptions {
  /** Which changes make an answer old. */
  live?: readonly Interest[]
  /** The screen that shows it decides when it is asked for again. */
  manual?: boolean
}
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: InvalidationOptions & Record<string, unknown>
  }
}

/** When an answer was asked for before anything showed it, by the hash of its key: what changed since then is heard of as well. */
const prefetchedAt = new Map<string, number>()
export function rememberPrefetch(queryHash: string): void {
  if (!prefetchedAt.has(queryHash)) prefetchedAt.set(queryHash, Date.now())
}

/** Asks again for everything that a change makes old. The server names changes of what is shown only: what leaves the screen is old at once. */
export function invalidateOnChanges(cache: QueryClient): void {
  onReconnect(() => void invalidate(cache))
  const shown = new Set<Query>()
  onChanges({
    interests: () => [...shown].flatMap(query => query.meta?.live ?? []),
    hear(notices) {
      for (const query of shown)
        if (query.meta?.manual !== true && notices.some(notice => concerns(query.meta?.live ?? [], notice))) invalidateSoon(cache, query)
    },
  })
  cache.getQueryCache().subscribe(({ type, query }) => {
    if (query.meta?.live === undefined) return
    if (type === 'observerAdded' && !shown.has(query)) {
      shown.add(query)
      interestsChanged(prefetchedAt.get(query.queryHash))
      prefetchedAt.delete(query.queryHash)
    } else if (type === 'removed' || (type === 'observerRemoved' && query.getObserversCount() === 0)) {
      shown.delete(query)
      if (type === 'observerRemoved') query.invalidate()
    }
  })
}

/** Milliseconds between two questions of the same kind: many changes make a list old no more often. */
const pauseBetween = 1_000
const askedAt = new WeakMap<Query, number>()
const waiting = new WeakSet<Query>()

/** Asks again at once, but not more than once a second. */
export function invalidateSoon(cache: QueryClient, query: Query): void {
  if (waiting.has(query)) return
  const ask = () => {
    waiting.delete(query)
    askedAt.set(query, Date.now())
    void invalidate(cache, { queryKey: query.queryKey, exact: true })
  }
  const rest = (askedAt.get(query) ?? 0) + pauseBetween - Date.now()
  if (rest <= 0) ask()
  else {
    waiting.add(query)
    setTimeout(ask, rest)
  }
}

const owed = new WeakMap<Query, Promise<void>>()

/**
 * Asks again for these answers. One that is on its way may have been read before the change: it is shown when it comes, and
 * asked for once more, however often it grew old meanwhile.
 */
export async function invalidate(cache: QueryClient, some: QueryFilters = {}): Promise<void> {
  await Promise.all(
    cache
      .getQueryCache()
      .findAll(some)
      .map(query => {
        const again = () => cache.invalidateQueries({ queryKey: query.queryKey, exact: true })
        if (query.state.fetchStatus === 'idle') return again()
        const known = owed.get(query)
        if (known) return known
        const arrived = query.fetch().catch(() => undefined)
        const next = arrived.then(() => {
          owed.delete(query)
          return again()
        })
        owed.set(query, next)
        return next
      }),
  )
}
