/** What was refused of many, one by one, after the rest was done. */
import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import style from './BulkFailures.module.css'
import { useT } from './translate.ts'

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
  const t = useT()
  return (
    <Modal opened={refused.length > 0} onClose={close} title={title} closeButtonProps={{ 'aria-label': t('Close') }}>
      <ul className={style.refused}>
        {refused.map(one => (
          <li key={keyOf(one)}>{children(one)}</li>
        ))}
      </ul>
    </Modal>
  )
}
