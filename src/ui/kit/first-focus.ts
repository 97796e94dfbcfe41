/** Where the focus begins in a dialog or drawer: at its first field, never at the button that closes it. */
import { type RefObject, useLayoutEffect, useRef } from 'react'

const fields = ':is(input:not([type="hidden"]), select, textarea):not(:disabled, [readonly])'
const focusable = `${fields}, button:not(:disabled), a[href], [tabindex]:not([tabindex="-1"])`

/** A field, when it is the first thing that can be used or belongs to a form; a comment far below in a page of facts is not. */
function firstField(content: Element): HTMLElement | null {
  const first = content.querySelector<HTMLElement>(focusable)
  return first?.matches(fields) ? first : content.querySelector<HTMLElement>(`form ${fields}`)
}

/** The answer is the ref of an empty element at the start of the content. Content that arrives later gets the focus when nothing else has it. */
export function useFirstFocus(): RefObject<HTMLSpanElement | null> {
  const start = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const content = start.current?.parentElement
    if (!content || content.querySelector('[data-autofocus]') || content.contains(document.activeElement)) return
    const field = firstField(content)
    if (field) {
      field.dataset.autofocus = ''
      return
    }
    content.tabIndex = -1
    content.style.outline = 'none'
    content.dataset.autofocus = ''
    const observer = new MutationObserver(() => {
      if (document.activeElement !== content) return
      const late = firstField(content)
      if (!late) return
      observer.disconnect()
      late.focus()
    })
    observer.observe(content, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  return start
}
