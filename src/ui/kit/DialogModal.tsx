/** The dialog itself: its code loads with the first one that opens. */
import { Modal, type ModalProps } from '@mantine/core'
import { FirstFocus } from './FirstFocus.tsx'
import { useT } from './translate.ts'

export function DialogModal({ children, ...props }: ModalProps) {
  const t = useT()
  return (
    <Modal size={440} closeButtonProps={{ 'aria-label': t('Close') }} {...props}>
      <FirstFocus />
      {children}
    </Modal>
  )
}
