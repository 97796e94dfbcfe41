/** Saved views of a list: a person's own, and those shared with everybody of the company. */
import { savedViews } from '#features/company/saved-views/saved-views.contract.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useListPreferences } from './list-state.ts'
import type { UrlSearch } from './url-state.ts'

export interface View {
  key: string
  /** Translated for a preset, as typed for a saved one. */
  title: string
  /** What the address holds in this view. */
  search: UrlSearch
  count?: number
  /** This person may change and remove it. */
  own?: boolean
  shared?: boolean
}

export interface ViewStore {
  views: readonly View[]
  /** Keeps the view; one's own of the same name is replaced. */
  save: (title: string, search: UrlSearch, shared: boolean) => void
  remove: (view: View) => void
  canShare: boolean
}

/** Views that only this person sees, for lists whose views the server does not share. */
export function useOwnViews(name: string): ViewStore {
  const [{ own }, choose] = useListPreferences<{ own: View[] }>(`${name}:views`, { own: [] })
  return {
    views: own.map(view => ({ ...view, own: true })),
    save: (title, search) => choose({ own: [...own.filter(view => view.title !== title), { key: `own:${title}`, title, search }] }),
    remove: view => choose({ own: own.filter(one => one.key !== view.key) }),
    canShare: false,
  }
}

/** Own and shared views that the server keeps. */
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
