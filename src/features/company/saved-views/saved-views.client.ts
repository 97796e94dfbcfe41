/** The user's own views of a list and those shared in the company, read from the server. */
import type { ViewStore } from '#ui/kit/saved-views.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { savedViews } from './saved-views.contract.ts'

export function useSavedViews(screen: 'orders' | 'shipments' | 'customers'): ViewStore {
  const saved = useCall(savedViews.list, { screen }, { fresh: 60_000 })
  const save = useSend(savedViews.save, { refreshes: [savedViews.list] })
  const remove = useSend(savedViews.remove, { refreshes: [savedViews.list] })
  return {
    views: (saved.data ?? []).map(view => ({
      key: `saved:${view.view_id}`,
      title: view.name,
      search: view.query,
      own: view.own,
      shared: view.shared,
    })),
    save: (title, search, shared) =>
      save.mutate({ screen, body: { name: title, query: search as Record<string, string | string[]>, shared } }),
    remove: view => remove.mutate({ screen, id: Number(view.key.split(':')[1]) }),
    canShare: true,
  }
}
