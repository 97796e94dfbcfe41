import { useFirstFocus } from './first-focus.ts'

/** Mounted with the content of a dialog or drawer, so that the focus begins there at each opening. */
export function FirstFocus() {
  return <span ref={useFirstFocus()} hidden />
}
