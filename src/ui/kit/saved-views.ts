/** Saved views of a list: what a list needs of them, and the views that one user keeps in the own settings. */
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

/** Views that only this user sees, for lists whose views are not shared. */
export function useOwnViews(name: string): ViewStore {
  const [{ own }, choose] = useListPreferences<{ own: View[] }>(`${name}:views`, { own: [] })
  return {
    views: own.map(view => ({ ...view, own: true })),
    save: (title, search) => choose({ own: [...own.filter(view => view.title !== title), { key: `own:${title}`, title, search }] }),
    remove: view => choose({ own: own.filter(one => one.key !== view.key) }),
    canShare: false,
  }
}
