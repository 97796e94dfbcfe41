/** Phones give scanned text only to a focused field: this hidden one keeps the focus without opening the keyboard. */

/**
 * Focuses the hidden field whenever nothing else has the focus, on devices whose first pointer is a finger. `label` names the field to screen readers.
 * The answer removes it.
 */
export function trapFocus(label: string, page: Window = window): () => void {
  if (!page.matchMedia('(pointer: coarse)').matches) return () => undefined
  const document = page.document
  const field = document.createElement('input')
  field.type = 'text'
  // `none` keeps the on-screen keyboard away; a built-in scanner still types.
  field.inputMode = 'none'
  field.autocomplete = 'off'
  field.spellcheck = false
  field.tabIndex = -1
  field.dataset.scan = 'scan_input'
  field.setAttribute('autocapitalize', 'off')
  field.setAttribute('aria-label', label)
  Object.assign(field.style, {
    position: 'fixed',
    insetBlockStart: '0',
    insetInlineStart: '0',
    inlineSize: '1px',
    blockSize: '1px',
    opacity: '0',
    border: '0',
    padding: '0',
  })
  document.body.append(field)

  let timer: number | undefined
  const look = () => {
    page.clearTimeout(timer)
    // After the click or the closing dialog has moved the focus where it wants it.
    timer = page.setTimeout(() => {
      const active = document.activeElement
      if (active === null || active === document.body) field.focus({ preventScroll: true })
    }, 50)
  }
  look()
  document.addEventListener('focusout', look)
  document.addEventListener('pointerup', look)
  document.addEventListener('visibilitychange', look)
  return () => {
    page.clearTimeout(timer)
    document.removeEventListener('focusout', look)
    document.removeEventListener('pointerup', look)
    document.removeEventListener('visibilitychange', look)
    field.remove()
  }
}
