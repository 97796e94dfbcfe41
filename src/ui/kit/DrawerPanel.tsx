/** The drawer itself: its code loads with the first one that opens. */
import { Drawer, type DrawerProps } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { FirstFocus } from './FirstFocus.tsx'
import { useT } from './translate.ts'

export function DrawerPanel({ children, ...props }: DrawerProps) {
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
    <Drawer position="right" size={480} closeOnEscape={false} closeButtonProps={{ 'aria-label': t('Close') }} {...props}>
      <FirstFocus />
      {children}
    </Drawer>
  )
}
