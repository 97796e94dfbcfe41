/** The place of the toasts: it is fetched with the first of them, or when the person begins to work, whichever comes first. */
import { useSyncExternalStore } from 'react'
import { loadedToaster, loadToaster, watchToaster } from './toasts.ts'

export function Toasts() {
  const part = useSyncExternalStore(watchToaster, loadedToaster)
  return part ? <part.Toaster /> : null
}

/** What is said is often that the network is gone: by then the toaster must be here. Without a network the next toast tries again. */
const prepare = (): void => void loadToaster().catch(() => undefined)
for (const begins of ['pointerdown', 'keydown']) window.addEventListener(begins, prepare, { once: true, capture: true })
