/** The main menu on a phone: the rail slides in over the page. */
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '#ui/kit/translate.ts'
import style from './Shell.module.css'

export function PhoneMenu({ close, children }: { close: () => void; children: ReactNode }) {
  const t = useT()
  return (
    <Drawer
      opened
      onClose={close}
      size="17rem"
      padding={0}
      withCloseButton={false}
      aria-label={t('Main menu')}
      classNames={{ body: style.drawer ?? '' }}
    >
      {children}
    </Drawer>
  )
}
