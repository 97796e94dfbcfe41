/** Keys of an open dialog, where those of the page wait. They stand apart so that the first screen does not load them. */
import { useEffect } from 'react'
import { device } from '#ui/device/device-storage.ts'

/** A scanner types a letter every 2 to 25 ms. A key is a person's only when it stands alone for this long, before and after. */
const alone = 60

const writing = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input:not([type="checkbox"]):not([type="radio"]), textarea, [contenteditable="true"]') !== null

/** Chooses by single keys while no text is being written. Keep the record the same object between renders (`useMemo`). */
export function useDialogKeys(keys: Readonly<Record<string, () => void>>): void {
  // The outside system is the keyboard.
  useEffect(() => {
    let last = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const press = (event: KeyboardEvent) => {
      const quick = event.timeStamp - last < alone
      last = event.timeStamp
      clearTimeout(timer)
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat || quick) return
      if (writing(event.target) || device.read('shortcuts') === 'off') return
      const run = keys[event.key]
      // The browser has keys of its own there.
      if (run && /^F\d/.test(event.key)) event.preventDefault()
      if (run) timer = setTimeout(run, alone)
    }
    window.addEventListener('keydown', press)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', press)
    }
  }, [keys])
}
