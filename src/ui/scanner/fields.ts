/** What the fields of a page held before a scan typed into them, and how to give it back. */

const text = new Set(['text', 'search', 'url', 'tel', 'password', 'email', 'number', 'date', 'time', 'datetime-local', 'month', 'week'])

/** The field that keys write into, seen through shadow roots; undefined for buttons and the page itself. */
export function fieldOf(target: EventTarget | null | undefined): HTMLElement | undefined {
  if (!(target instanceof HTMLElement)) return undefined
  if (target instanceof HTMLInputElement) return text.has(target.type) && !target.readOnly && !target.disabled ? target : undefined
  if (target instanceof HTMLTextAreaElement) return target.readOnly || target.disabled ? undefined : target
  // A focused select jumps to the option that begins with what is typed.
  if (target instanceof HTMLSelectElement) return target
  return target.isContentEditable ? target : undefined
}

/** Remembers a field; the answer gives back what it held, telling the page as if a person had typed it. */
export function remember(field: HTMLElement): () => void {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { value, selectionStart, selectionEnd, selectionDirection } = field
    return () => {
      if (field.value !== value) write(field, value)
      if (selectionStart === null || !field.isConnected) return
      field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? 'none')
    }
  }
  if (field instanceof HTMLSelectElement) {
    const { value } = field
    return () => {
      if (field.value === value) return
      write(field, value)
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
  const before = field.textContent.length
  return () => {
    // Editors keep a model of their own: deleting as a person would is the one way that all of them follow.
    const typed = field.textContent.length - before
    const selection = field.ownerDocument.getSelection()
    if (typed <= 0 || !selection) return
    for (let character = 0; character < typed; character++) selection.modify('extend', 'backward', 'character')
    field.ownerDocument.execCommand('delete')
  }
}

/** The part of the field's text that is new since `before`, where the caret stood between `start` and `end`. */
export function typedInto(value: string, before: string, start: number, end: number): string {
  return value.slice(start, Math.max(start, value.length - (before.length - end)))
}

/** React watches the value that was set through its own setter; the setter of the prototype shows it that the value changed. */
function write(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string) {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, 'value')?.set
  if (setter) setter.call(field, value)
  else field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Whether a key belongs to what has the focus: a field, a button or a link, but not the hidden field of phones, into which only scanners type. */
export const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([data-scan="scan_input"]), textarea, select, button, a, [contenteditable="true"]') !== null
