/** A dialog that confirms or asks for a few things. Its answers stand at the bottom right, the main one last. */
import { Modal, type ModalProps } from '@mantine/core'
import { useFirstFocus } from './first-focus.ts'
import { useT } from './translate.ts'

export function Dialog({ children, ...props }: ModalProps) {
  const t = useT()
  return (
    <Modal size={440} closeButtonProps={{ 'aria-label': t('Close') }} {...props}>
      <FirstFocus />
      {children}
    </Modal>
  )
}

/** Mounted with the content, so that the focus begins there at each opening. */
export function FirstFocus() {
  return <span ref={useFirstFocus()} hidden />
}
