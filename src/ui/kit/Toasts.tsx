/** The place of the toasts: it is fetched with the first of them, or when the person begins to work, whichever comes first. */
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { isToasterLoaded, loadToaster, watchToaster } from './toasts.ts'

const Toaster = lazy(async () => ({ default: (await loadToaster()).Toaster }))

export function Toasts() {
  return useSyncExternalStore(watchToaster, isToasterLoaded) ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null
}

// What is said is often that the network is gone: by then it must be here.
for (const begins of ['pointerdown', 'keydown']) window.addEventListener(begins, () => void loadToaster(), { once: true, capture: true })
