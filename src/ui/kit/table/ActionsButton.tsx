/** The dots of a row or a card, which open what can be done with it; the menu's code is loaded only then. */
import { IconDotsVertical } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import style from '../DataTable.module.css'
import { useT } from '../translate.ts'
import type { RowAction } from './RowMenu.tsx'

const fetchMenu = () => import('./RowMenu.tsx')
const RowMenu = lazy(async () => ({ default: (await fetchMenu()).RowMenu }))

interface ActionsButtonProps {
  opened: boolean
  actions: () => readonly RowAction[]
  show: (opened: boolean) => void
}

export function ActionsButton({ opened, actions, show }: ActionsButtonProps) {
  const t = useT()
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !opened) button.current?.focus()
    wasOpen.current = opened
  }, [opened])
  const dotted = (
    <button
      ref={button}
      type="button"
      className={style.dots}
      aria-label={t('Actions')}
      aria-haspopup="menu"
      onPointerEnter={() => void fetchMenu().catch(() => undefined)}
      onClick={() => show(true)}
    >
      {dots}
    </button>
  )
  if (!opened) return dotted
  return (
    <Suspense fallback={dotted}>
      <RowMenu actions={actions()} close={() => show(false)}>
        <button ref={button} type="button" className={style.dots} aria-label={t('Actions')}>
          {dots}
        </button>
      </RowMenu>
    </Suspense>
  )
}
const dots = <IconDotsVertical size={16} />
