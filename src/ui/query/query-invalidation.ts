/** Keeps what is shown true: whatever a notice makes old is asked for again. */
import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'
import { type Notice, onChange, onReconnect } from './change-stream.ts'

/** Which notices make an answer old; kept with it, so that it is heard of while no screen shows it as well. */
interface InvalidationOptions {
  invalidatedBy?: (notice: Notice) => boolean
  /** The screen that shows it decides when it is asked for again. */
  manual?: boolean
}
declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: InvalidationOptions & Record<string, unknown>
  }
}

/** Asks again for everything that a notice makes old; what no one looks at is asked for when somebody does. */
export function invalidateOnChanges(cache: QueryClient): void {
  onReconnect(() => void invalidate(cache))
  onChange('all', notice => void invalidate(cache, { predicate: query => concerns(query, notice) }))
}

const concerns = (query: Query, notice: Notice): boolean =>
  query.meta?.invalidatedBy?.(notice) === true && !(query.meta.manual === true && query.isActive())

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
