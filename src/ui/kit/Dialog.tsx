/** A dialog that confirms or asks for a few things. Its answers stand at the bottom right, the main one last. */
import type { ModalProps } from '@mantine/core'
import { openedPart, WhenOpened } from './WhenOpened.tsx'

const modal = openedPart(() => import('./DialogModal.tsx').then(module => module.DialogModal))

export const Dialog = (props: ModalProps) => <WhenOpened part={modal} props={props} />
