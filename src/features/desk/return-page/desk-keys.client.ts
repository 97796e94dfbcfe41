/** The keys that act now at the bench of returns. */
import { useMemo, useRef } from 'react'
import { useDialogKeys } from '#ui/kit/dialog-keys.ts'

export const escapeKey = 'Escape'

export interface DeskKey {
  code: string
  name: string
  run: () => void
  isEscape?: boolean
  /** It stands on the stage already. */
  onStage?: boolean
}

/** A button that has the focus takes Enter for itself. */
export function useDeskKeys(keys: readonly DeskKey[], isOff = false): readonly DeskKey[] {
  const latest = useRef(keys)
  latest.current = keys
  const names = isOff ? '' : keys.map(({ code }) => code).join(' ')
  useDialogKeys(
    useMemo(
      () =>
        Object.fromEntries(
          names
            .split(' ')
            .filter(Boolean)
            .map(name => [
              name,
              () => {
                if (name === 'Enter' && document.activeElement?.matches('button, a')) return
                latest.current.find(({ code }) => code === name)?.run()
              },
            ]),
        ),
      [names],
    ),
  )
  return keys
}
