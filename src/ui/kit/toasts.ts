/** Short messages in a live region: at most three at once; what went well goes by itself, what failed stays until it is closed. */
import { createElement } from 'react'
import { CallError } from '#ui/query/call-error.ts'
import { t } from './translate.ts'

type Toaster = typeof import('./toaster.tsx')

let loading: Promise<Toaster> | undefined
let loaded: Toaster | undefined
const watchers = new Set<() => void>()

/** Fetches the toaster, once. A fetch that fails is tried again by the next toast. */
export async function loadToaster(): Promise<Toaster> {
  loading ??= import('./toaster.tsx')
  try {
    const first = loaded === undefined
    loaded = await loading
    if (first) for (const watch of watchers) watch()
    return loaded
  } catch (error) {
    loading = undefined
    throw error
  }
}
/** The toaster as soon as it is here. */
export const loadedToaster = (): Toaster | undefined => loaded
export function watchToaster(watch: () => void): () => void {
  watchers.add(watch)
  return () => watchers.delete(watch)
}

const toast = (write: (toaster: Toaster) => void): void => void loadToaster().then(write, error => console.error(error))

/** Something worked; the sentence is translated. */
export const toastSuccess = (sentence: string): void =>
  toast(({ show }) => show({ message: sentence, color: 'moss', autoClose: 4000, role: 'status' }))

/** Something to know that is neither good nor bad. */
export const toastInfo = (sentence: string): void =>
  toast(({ show }) => show({ message: sentence, color: 'harbour', autoClose: 6000, role: 'status' }))

/** The sentence of an error in the reader's language. */
export function errorSentence(error: unknown): string {
  if (error instanceof CallError) return t(error.key, error.values)
  return isMissingPart(error) ? t('This part of the program did not load') : t('Something in the program failed')
}

/** A part of the program could not be had: the network is gone, or a newer version has taken its place. */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|Importing a module script|This part of the program did not load/.test(error.message)

/** What a person can copy and send to support: the specification's message, or the program's own words. */
export function errorReference(error: unknown): string {
  if (error instanceof CallError) return error.formatted
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** Something failed: the sentence, and behind a word the status as the specification formats it. Stays until closed. */
export function toastError(error: unknown): void {
  const id = `error:${errorReference(error)}`
  toast(({ show, hide, details }) => {
    hide(id)
    show({ id, title: errorSentence(error), message: details(errorReference(error)), color: 'brick', autoClose: false, role: 'alert' })
  })
}

/** Something did not happen, for a reason that is known and translated. Stays until closed. */
export function toastFailure(sentence: string): void {
  const id = `failure:${sentence}`
  toast(({ show, hide }) => {
    hide(id)
    show({ id, message: sentence, color: 'brick', autoClose: false, role: 'alert' })
  })
}

/**
 * A reversible change was made; for some seconds it can be taken back.
 *
 *     toastWithUndo(sentence, () => setState.mutate({ id, state: before }))
 */
export function toastWithUndo(sentence: string, undo: () => void, seconds = 10): void {
  const id = `undo:${Math.random()}`
  toast(({ show, hide, UndoButton }) => {
    const take = () => {
      hide(id)
      undo()
    }
    show({ id, message: createElement(UndoButton, { sentence, undo: take }), color: 'moss', autoClose: seconds * 1000 })
  })
}
