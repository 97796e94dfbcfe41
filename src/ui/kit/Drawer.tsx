/** A drawer at the right edge, in which one thing is made or changed. */
import { type DrawerProps, Drawer as MantineDrawer } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { FirstFocus } from './Dialog.tsx'
import { useT } from './translate.ts'

export function Drawer({ children, ...props }: DrawerProps) {
  const t = useT()
  useWindowEvent(
    'keydown',
    ({ key, target, isComposing }) => {
      if (key !== 'Escape' || isComposing || !props.opened) return
      // A list that is open in a field closes first, and a dialog above the drawer closes alone.
      if (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true') return
      if (document.querySelectorAll('[role="dialog"]').length < 2) props.onClose()
    },
    { capture: true },
  )
  return (
    <MantineDrawer position="right" size={480} closeOnEscape={false} closeButtonProps={{ 'aria-label': t('Close') }} {...props}>
      <FirstFocus />
      {children}
    </MantineDrawer>
  )
}
