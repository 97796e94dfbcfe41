/** A key, or keys pressed together: `<Kbd keys="Ctrl K" />`. */
import { Kbd as Key } from '@mantine/core'
import { Fragment } from 'react'

const apple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

export function Kbd({ keys }: { keys: string }) {
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {keys.split(' ').map((key, place) => (
        <Fragment key={key}>
          {place > 0 ? ' ' : null}
          <Key size="xs">{key === 'Ctrl' && apple ? '⌘' : key}</Key>
        </Fragment>
      ))}
    </span>
  )
}
