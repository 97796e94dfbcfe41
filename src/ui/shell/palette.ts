/** How the command palette is opened, what fills it, and what was chosen in it last. */
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
  /** Letters from which on it is asked; 1 without it. */
  fewest?: number
  /** Its entries stand behind pages and actions. */
  last?: true
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

let loaded = false
let early = ''
/** Letters that are typed before the palette's code has come belong into its field. */
function catchLetters(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape') openPalette(false)
  else if (event.key === 'Backspace') early = early.slice(0, -1)
  else if (event.key.length === 1) early += event.key
  else return
  event.preventDefault()
  event.stopPropagation()
}

export function openPalette(wanted = true): void {
  open = wanted
  if (!loaded) {
    if (wanted) window.addEventListener('keydown', catchLetters, true)
    else {
      early = ''
      window.removeEventListener('keydown', catchLetters, true)
    }
  }
  notify()
}

/** Called once when the palette is there: what was typed until then. */
export function takeEarlyLetters(): string {
  loaded = true
  window.removeEventListener('keydown', catchLetters, true)
  const typed = early
  early = ''
  return typed
}

const mostRecent = 5
let recent: readonly PaletteEntry[] = []
/** What was chosen last on this page, the latest first. It names customers: nothing of it is stored. */
export const recentEntries = (): readonly PaletteEntry[] => recent
export function rememberEntry(entry: PaletteEntry): void {
  if (entry.to) recent = [entry, ...recent.filter(one => one.id !== entry.id)].slice(0, mostRecent)
}
export const forgetEntries = (): void => {
  recent = []
}
