/** Lists: pages of a call as a table wants them, rows chosen for a bulk action, and what a person chose to see. */
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Call, RequestInput } from '#contract/endpoint.ts'
import { mySettings } from '#contract/my-settings.ts'
import { device, useDevice } from '#ui/device/device-storage.ts'
import type { CallError } from '#ui/query/call-error.ts'
import { keyOf as cacheKeyOf, type Received, send, useCall } from '#ui/query/calls.ts'
import { type Interest, useChanges } from '#ui/query/change-stream.ts'
import { invalidateSoon } from '#ui/query/query-invalidation.ts'
import { useSession } from '#ui/query/session.ts'

export type RowKey = number | string

/** What a table shows, wherever its rows come from. */
export interface ListState<R> {
  rows: readonly R[]
  total: number
  /** The total is only counted so far: there are more. */
  totalIsMore: boolean
  /** From 1. */
  page: number
  limit: number
  /** Nothing to show yet. */
  isLoading: boolean
  /** Something is shown and newer rows are on their way. */
  isRefreshing: boolean
  /** The rows answer an earlier question than the one asked: nothing may be done with them. */
  isStale: boolean
  error: CallError | null
  refetch: () => void
  /** Changes elsewhere that are not shown, so that nothing moves under the cursor. */
  pendingChanges: number
  showPendingChanges: () => void
}

/** The record that was open last in place of this list, for the list to return to: `useOpenedLast(url.id)`; 0 stands for none. */
export function useLastOpened(id: number): number | null {
  const [last, setLast] = useState<number | null>(null)
  if (id > 0 && id !== last) setLast(id)
  return last
}

/** Rows that are simply there. */
export const staticList = <R>(rows: readonly R[]): ListState<R> => ({
  rows,
  total: rows.length,
  totalIsMore: false,
  page: 1,
  limit: Math.max(1, rows.length),
  isLoading: false,
  isRefreshing: false,
  isStale: false,
  error: null,
  refetch: () => {},
  pendingChanges: 0,
  showPendingChanges: () => {},
})

/** The page that a list call answered, shown as it comes: for lists in which rows that move disturb no one. */
export function pageState<R>(
  answer: Pick<
    UseQueryResult<AnyPage & { rows: readonly R[] }, CallError>,
    'data' | 'isPending' | 'isFetching' | 'isPlaceholderData' | 'error' | 'refetch'
  >,
  { page, limit }: { page: number; limit: number },
): ListState<R> {
  return {
    ...staticList(answer.data?.rows ?? []),
    total: answer.data?.total ?? 0,
    totalIsMore: answer.data?.total_is_more ?? false,
    page,
    limit,
    isLoading: answer.isPending,
    isRefreshing: answer.isFetching && !answer.isPending,
    isStale: answer.isPlaceholderData,
    error: answer.error,
    refetch: () => void answer.refetch(),
  }
}

interface AnyPage {
  rows: readonly unknown[]
  total: number
  total_is_more: boolean
  offset: number
  limit: number
}
export type RowOf<C extends Call> = Received<C> extends { rows: readonly (infer R)[] } ? R : never

const idOf = (row: unknown): RowKey => (row as { id: RowKey }).id

/**
 * One page of a list call. The rows shown keep their places while the page is open: a live notice about one of them
 * refreshes it in place, any other is counted in `pendingChanges` until the person asks for it; an empty list takes it at once.
 *
 *     const list = usePagedList(orders.search, { query: url.query, page: url.page }, { live: ['order'] })
 */
export function usePagedList<C extends Call>(
  call: C,
  input: RequestInput<C>,
  options: { live?: readonly Interest[]; enabled?: boolean; keyOf?: (row: RowOf<C>) => RowKey } = {},
): ListState<RowOf<C>> {
  const cache = useQueryClient()
  const keyOf = (options.keyOf ?? idOf) as (row: unknown) => RowKey
  const answer = useCall(call, input, {
    keep: true,
    calm: true,
    ...(options.live && { live: options.live }),
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
  })
  const data = answer.data as unknown as AnyPage | undefined
  const asked = JSON.stringify(input)
  const shown = useRef<{ asked: string; keys: RowKey[]; rows: Map<RowKey, unknown> }>(undefined)
  const [news, setNews] = useState(0)

  const rows = useMemo(() => {
    if (!data) return []
    const before = shown.current
    // The first answer to a question is taken as it comes; later ones keep the order that is on the screen.
    if (answer.isPlaceholderData) return before ? before.keys.map(key => before.rows.get(key)) : data.rows
    if (before?.asked !== asked || before.keys.length === 0) {
      shown.current = { asked, keys: data.rows.map(keyOf), rows: new Map(data.rows.map(row => [keyOf(row), row])) }
      return data.rows
    }
    const fresh = new Map(data.rows.map(row => [keyOf(row), row]))
    for (const key of before.keys) before.rows.set(key, fresh.get(key) ?? before.rows.get(key))
    return before.keys.map(key => before.rows.get(key))
  }, [data, asked, answer.isPlaceholderData, keyOf])

  const refetch = answer.refetch
  const showNews = useCallback(() => {
    shown.current = undefined
    setNews(0)
    void refetch()
  }, [refetch])

  useChanges(options.live ?? none, notice => {
    const query = cache.getQueryCache().find({ queryKey: cacheKeyOf(call, input) })
    if (query && notice.id !== undefined && shown.current?.rows.has(notice.id)) return invalidateSoon(cache, query)
    // Where nothing is shown, no row moves.
    if (query && shown.current?.keys.length === 0) return invalidateSoon(cache, query)
    setNews(count => count + 1)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new question makes old news meaningless
  useEffect(() => setNews(0), [asked])

  return {
    rows: rows as RowOf<C>[],
    total: data?.total ?? 0,
    totalIsMore: data?.total_is_more ?? false,
    page: data ? Math.floor(data.offset / data.limit) + 1 : 1,
    limit: data?.limit ?? 50,
    isLoading: answer.isPending,
    isRefreshing: answer.isFetching && !answer.isPending,
    isStale: answer.isPlaceholderData,
    error: data ? null : answer.error,
    refetch: showNews,
    pendingChanges: news,
    showPendingChanges: showNews,
  }
}
const none: readonly Interest[] = []

/** Which rows a bulk action is for: some by key, or everything that matches the filters. */
export interface Selection {
  /** All that match, except the keys in `keys`; otherwise exactly the keys in `keys`. */
  all: boolean
  keys: ReadonlySet<RowKey>
  has: (key: RowKey) => boolean
  count: (total: number) => number
  set: (keys: Iterable<RowKey>, chosen: boolean) => void
  selectAll: () => void
  clear: () => void
}

/** `reset` names the question: when it changes, the choice is dropped, since it would no longer mean what is on the screen. */
export function useSelection(reset: unknown = null): Selection {
  const question = JSON.stringify(reset)
  const [state, setState] = useState<{ question: string; all: boolean; keys: ReadonlySet<RowKey> }>({
    question,
    all: false,
    keys: new Set(),
  })
  const current = state.question === question ? state : { question, all: false, keys: new Set<RowKey>() }
  return {
    all: current.all,
    keys: current.keys,
    has: key => current.keys.has(key) !== current.all,
    count: total => (current.all ? Math.max(0, total - current.keys.size) : current.keys.size),
    set: (keys, chosen) => {
      const next = new Set(current.keys)
      for (const key of keys) {
        if (chosen !== current.all) next.add(key)
        else next.delete(key)
      }
      setState({ ...current, keys: next })
    },
    selectAll: () => setState({ question, all: true, keys: new Set() }),
    clear: () => setState({ question, all: false, keys: new Set() }),
  }
}

/**
 * What this person chose for one list: columns, widths, own views. The server keeps it, so that it follows the person;
 * the device keeps a copy, so that the list stands at once.
 */
export function useListPreferences<T extends Record<string, unknown>>(name: string, fallback: T): [T, (change: Partial<T>) => void] {
  const session = useSession()
  const cache = useQueryClient()
  const here = `${session?.user.user_id ?? 0}:${name}`
  const there = `list.${name}`
  const views = useDevice('views')
  const settings = useCall(mySettings.get, {}, { enabled: session !== undefined, fresh: 600_000 }).data?.settings
  const choice = { ...fallback, ...(views?.[here] as Partial<T> | undefined), ...(settings?.[there] as Partial<T> | undefined) }
  const choose = (change: Partial<T>) => {
    const next = { ...choice, ...change }
    device.write('views', { ...device.read('views'), [here]: next })
    if (!session) return
    const kept = { [there]: next } as Record<string, never>
    cache.setQueryData<Received<typeof mySettings.get>>(
      cacheKeyOf(mySettings.get, {}),
      old => old && { ...old, settings: { ...old.settings, ...kept } },
    )
    // The device has it in any case; the next change tries again.
    send(mySettings.set, { body: { settings: kept } }).catch(() => undefined)
  }
  return [choice, choose]
}
