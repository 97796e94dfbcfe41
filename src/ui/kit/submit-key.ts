/** Ctrl-Enter in a text box of several lines sends its form, as Enter does in one of a single line. */
import type { KeyboardEvent } from 'react'

export function submitKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
