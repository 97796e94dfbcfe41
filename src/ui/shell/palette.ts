/** The command palette's doors: how it is opened, and who fills it. */
import { useEffect, useSyncExternalStore } from 'react'

export interface PaletteEntry {
  id: string
  title: string
  detail?: string
  /** Where it leads, with search; or what it does. */
  to?: string
  run?: () => void
}

export interface PaletteSource {
  /** Translated heading of its entries. */
  title: string
  /** What fits the typed text; called after a short pause, with a signal that ends when the text changes. */
  search: (text: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]> | readonly PaletteEntry[]
}

let sources: readonly PaletteSource[] = []
let open = false
const watchers = new Set<() => void>()
const notify = () => {
  for (const watcher of watchers) watcher()
}
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Adds a source while the component is there (keep it the same object between renders), for actions of a screen or orders by number. */
export function usePaletteSource(source: PaletteSource | null): void {
  useEffect(() => {
    if (!source) return
    sources = [...sources, source]
    notify()
    return () => {
      sources = sources.filter(one => one !== source)
      notify()
    }
  }, [source])
}

export const usePaletteSources = (): readonly PaletteSource[] => useSyncExternalStore(watch, () => sources)
export const usePaletteOpen = (): boolean => useSyncExternalStore(watch, () => open)

export function openPalette(wanted = true): void {
  open = wanted
  notify()
}
