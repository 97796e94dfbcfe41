/** A drawer at the right edge, in which one thing is made or changed. */
import { type DrawerProps, Drawer as MantineDrawer } from '@mantine/core'
import { FirstFocus } from './Dialog.tsx'
import { useT } from './translate.ts'

export function Drawer({ children, ...props }: DrawerProps) {
  const t = useT()
  return (
    <MantineDrawer position="right" size={480} closeButtonProps={{ 'aria-label': t('Close') }} {...props}>
      <FirstFocus />
      {children}
    </MantineDrawer>
  )
}
