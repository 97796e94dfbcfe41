/** What was refused of many, one by one, after the rest was done. */
import type { ReactNode } from 'react'
import style from './BulkFailures.module.css'
import { Dialog } from './Dialog.tsx'

export function BulkFailures<T>({
  title,
  refused,
  keyOf,
  children,
  close,
}: {
  title: string
  refused: readonly T[]
  keyOf: (one: T) => string | number
  children: (one: T) => ReactNode
  close: () => void
}) {
  return (
    <Dialog opened={refused.length > 0} onClose={close} title={title}>
      <ul className={style.refused}>
        {refused.map(one => (
          <li key={keyOf(one)}>{children(one)}</li>
        ))}
      </ul>
    </Dialog>
  )
}
