/** The button that opens the camera where there is no scanner; the camera's code is loaded only then. */
import { Button, Loader } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { useT } from '#ui/kit/translate.ts'
import { useScanner } from './handlers.tsx'

const CameraScan = lazy(() => import('./CameraScan.tsx').then(({ CameraScan }) => ({ default: CameraScan })))

/** What the camera sees is a scan like any other. `keepOpen`: for scanning one code after another; `size` as of the buttons beside it. */
export function CameraButton({ keepOpen = false, size = 'lg' }: { keepOpen?: boolean; size?: 'sm' | 'lg' }) {
  const t = useT()
  const { emit } = useScanner()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button size={size} variant="default" onClick={() => setOpen(true)}>
        {t('Scan with the camera')}
      </Button>
      <Dialog opened={open} onClose={close} title={t('Scan with the camera')} closeButtonProps={{ 'aria-label': t('Close camera') }}>
        <Suspense fallback={<Loader aria-label={t('The camera is starting')} />}>
          <CameraScan
            onClose={close}
            onCode={text => {
              if (!keepOpen) close()
              emit(text)
            }}
          />
        </Suspense>
      </Dialog>
    </>
  )
}
