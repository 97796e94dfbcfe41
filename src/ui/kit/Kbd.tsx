/** A key, or keys pressed together: `<Kbd keys="Ctrl K" />`. */
import { Kbd as Key } from '@mantine/core'
import { Fragment } from 'react'
import { useT } from './translate.ts'

const apple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** What stands on the key: German keyboards say Strg, those of Apple have a sign. */
export const useKeyWord = (): ((key: string) => string) => {
  const t = useT()
  return key => (key === 'Ctrl' ? (apple ? '⌘' : t('Ctrl')) : key)
}

export function Kbd({ keys }: { keys: string }) {
  const word = useKeyWord()
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      {keys.split(' ').map((key, place) => (
        <Fragment key={key}>
          {place > 0 ? ' ' : null}
          <Key size="xs">{word(key)}</Key>
        </Fragment>
      ))}
    </span>
  )
}
