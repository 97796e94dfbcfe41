/** Brings the field into view that a search of settings led to, and marks it for a moment. */
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { searchedField } from '#contract/settings-search.ts'
import { useT } from '#ui/kit/translate.ts'
import { parseSearch } from '#ui/kit/url-state.ts'

/** Milliseconds in which the page has to show the field: it may wait for the server. */
const patience = 8_000
const shownFor = 2_000

/** The label, heading or control with these words. */
const labelled = (words: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>('main label, main h2, main [class*="InputWrapper-label"], main [aria-label]')].find(
    element => element.getAttribute('aria-label') === words || element.textContent?.replace(/\s*\*$/, '').trim() === words,
  )

export function useSearchedField(): void {
  const t = useT()
  const field = useRouterState({ select: ({ location }) => parseSearch(location.searchStr)[searchedField] })
  const label = typeof field === 'string' ? t(field) : undefined
  // The outside system is the page, which shows the field when its answers are there.
  useEffect(() => {
    if (label === undefined) return
    let marked: HTMLElement | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (): boolean => {
      const element = labelled(label)
      if (!element) return false
      marked = element
      element.scrollIntoView({ block: 'center' })
      const control = element instanceof HTMLLabelElement ? element.control : element.querySelector<HTMLElement>('input, select, textarea')
      control?.focus({ preventScroll: true })
      element.dataset.searched = 'true'
      timer = setTimeout(() => delete element.dataset.searched, shownFor)
      return true
    }
    const watcher = new MutationObserver(() => {
      if (show()) watcher.disconnect()
    })
    if (!show()) watcher.observe(document.body, { childList: true, subtree: true })
    const end = setTimeout(() => watcher.disconnect(), patience)
    return () => {
      watcher.disconnect()
      clearTimeout(end)
      clearTimeout(timer)
      if (marked) delete marked.dataset.searched
    }
  }, [label])
}
