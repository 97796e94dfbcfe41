/** Where the focus begins in a dialog or drawer: at its first field, never at the button that closes it; and where it is afterwards. */
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A field below content that is still read is not the first. */
const fields = ':is(input:not([type="hidden"]), select, textarea):not(:disabled, [readonly], [aria-busy=true] ~ * *)'
const focusable = `${fields}, button:not(:disabled), a[href], [tabindex]:not([tabindex="-1"])`

/** A field, when it is the first thing that can be used or belongs to a form; a comment far below in a page of facts is not. */
function firstField(content: Element): HTMLElement | null {
  const first = content.querySelector<HTMLElement>(focusable)
  return first?.matches(fields) ? first : content.querySelector<HTMLElement>(`form ${fields}`)
}

/** What has the focus, or opened the menu in which it is: the menu itself is gone when the dialog closes. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = menu ? document.getElementById(menu) : focused
  return opener instanceof HTMLElement && opener !== document.body ? opener : null
}

/** Nothing happens where something else took the focus, or at a station, whose keys belong to the scanner. */
function focusAgain(opener: HTMLElement | null): void {
  if ('floor' in document.documentElement.dataset) return
  // After the close of the dialog, and what follows it, has moved the focus.
  setTimeout(() => {
    if (document.activeElement === document.body) opener?.focus({ preventScroll: true })
  }, 20)
}

/** The answer is the ref of an empty element at the start of the content. Content that arrives later gets the focus when nothing else has it. */
export function useFirstFocus(): RefObject<HTMLSpanElement | null> {
  const start = useRef<HTMLSpanElement>(null)
  // The library returns the focus of what is opened, not of what appears open.
  useLayoutEffect(() => {
    const opener = openerOf(document.activeElement)
    return () => focusAgain(opener)
  }, [])
  useLayoutEffect(() => {
    const content = start.current?.parentElement
    if (!content || content.querySelector('[data-autofocus]') || content.contains(document.activeElement)) return
    const field = firstField(content)
    const begins = field ?? content
    begins.dataset.autofocus = ''
    if (field) return
    content.tabIndex = -1
    const observer = new MutationObserver(() => {
      if (document.activeElement === content) firstField(content)?.focus()
    })
    observer.observe(content, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return start
}
