/** Asks before what cannot be taken back: printing, sending, buying, deleting. Reversible changes use an undo toast instead. */
import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { Question } from './ConfirmDialog.tsx'

const ConfirmDialog = lazy(() => import('./ConfirmDialog.tsx').then(module => ({ default: module.ConfirmDialog })))

let asked: { question: Question; answer: (yes: boolean) => void } | undefined
const watchers = new Set<() => void>()
const notify = () => {
  for (const watcher of watchers) watcher()
}

/** `if (await confirm({ title, body, action, danger: true })) cancel.mutate({ … })`, with translated sentences */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise(resolve => {
    asked = {
      question,
      answer: yes => {
        asked = undefined
        notify()
        resolve(yes)
      },
    }
    notify()
  })
}

const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Stands once in the frame. */
export function ConfirmHost() {
  const open = useSyncExternalStore(watch, () => asked)
  return <Suspense>{open ? <ConfirmDialog {...open} /> : null}</Suspense>
}
