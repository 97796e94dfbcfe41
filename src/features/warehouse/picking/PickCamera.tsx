/** Scanning with the phone's camera, one code after another, until it is closed. */
import { Loader } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useScanner } from '#ui/scanner/handlers.tsx'

const CameraScan = lazy(() => import('#ui/scanner/CameraScan.tsx').then(({ CameraScan }) => ({ default: CameraScan })))

export function PickCamera({ button }: { button: (open: () => void) => ReactNode }) {
  const t = useT()
  const { emit } = useScanner()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      {button(() => setOpen(true))}
      <Dialog opened={open} onClose={close} title={t('Scan with the camera')} closeButtonProps={{ 'aria-label': t('Close camera') }}>
        <Suspense fallback={<Loader aria-label={t('The camera is starting')} />}>
          <CameraScan
            onClose={close}
            onCode={text => {
              close()
              emit(text)
            }}
          />
        </Suspense>
      </Dialog>
    </>
  )
}
