/** Keyboard shortcuts: registered by the screens that offer them, listed by `?`, silent on scan screens and in text boxes. */
import { useEffect, useSyncExternalStore } from 'react'
import { device } from '#ui/device/device-storage.ts'

export interface Shortcut {
  /** One key (`n`, `/`, `?`), or two after one another (`g o`). */
  keys: string
  /** Translated: what it does. */
  does: string
  run: () => void
}

/** A scanner types a letter every 2 to 25 ms. A single key is a person's only when it stands alone for this long, before and after. */
const alone = 60
/** The second key of a pair comes within this time. */
const pairPatience = 1500

let offered: readonly (readonly Shortcut[])[] = []
let silenced = 0
const watchers = new Set<() => void>()
const notify = () => {
  for (const watcher of watchers) watcher()
}
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Offers shortcuts while the component is there. Keep the array the same object between renders (`useMemo`). */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  // The outside system is the keyboard.
  useEffect(() => {
    offered = [...offered, shortcuts]
    notify()
    return () => {
      offered = offered.filter(one => one !== shortcuts)
      notify()
    }
  }, [shortcuts])
}

/** No shortcuts while the component is there: on scan screens letters belong to the scanner. */
export function useNoShortcuts(active = true): void {
  useEffect(() => {
    if (!active) return
    silenced += 1
    return () => {
      silenced -= 1
    }
  }, [active])
}

export const useOfferedShortcuts = (): readonly Shortcut[] => {
  const groups = useSyncExternalStore(watch, () => offered)
  return groups.flat()
}

const typing = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable="true"]') !== null

let last = 0
let first: { key: string; at: number } | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function press(event: KeyboardEvent): void {
  const now = event.timeStamp
  const quick = now - last < alone
  last = now
  clearTimeout(timer)
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.key.length !== 1) return
  if (silenced > 0 || typing(event.target) || quick || device.read('shortcuts') === 'off') {
    first = undefined
    return
  }
  // A layer over the page has its own keys.
  if (document.querySelector('[role="dialog"], [role="menu"]')) return
  const key = event.key.toLowerCase()
  const pair = first && now - first.at < pairPatience ? `${first.key} ${key}` : undefined
  first = undefined
  const all = offered.flat()
  const found = all.findLast(one => one.keys === pair) ?? all.findLast(one => one.keys === key)
  if (found) {
    // A letter that begins a search box's text must not be typed into it.
    if (key === '/') event.preventDefault()
    timer = setTimeout(found.run, alone)
  } else if (all.some(one => one.keys.startsWith(`${key} `))) first = { key, at: now }
}

export const listenToKeys = (): void => window.addEventListener('keydown', press)
