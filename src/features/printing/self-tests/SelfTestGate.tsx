/** At the station: the scanned code of a test page proves printer and scanner; where the company wants it, the first order waits for it. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { printerChecks } from '#features/printing/printer-checks/printer-checks.contract.ts'
import { printerName } from '#features/printing/printers/printers.labels.ts'
import { useDevice } from '#ui/device/device-storage.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { useCall, useSend } from '#ui/query/calls.ts'
import { useScanHandler, useScanner } from '#ui/scanner/handlers.tsx'
import { selfTests } from './self-tests.contract.ts'
import type { SelfTest } from './self-tests.schemas.ts'

const refreshes = [selfTests.state, selfTests.list]

/** `waits`: no order is open, so the station may ask. */
export function SelfTestGate({ waits }: { waits: boolean }) {
  const t = useT()
  const { play } = useScanner()
  const station = useDevice('packingStation')
  const { data } = useCall(
    selfTests.state,
    { station: station ?? '' },
    { enabled: station !== undefined, live: ['printer'], every: 300_000, fresh: 60_000 },
  )
  const prove = useSend(printerChecks.proveTest, {
    refreshes,
    done: printer => {
      play('done')
      toastSuccess(t('Printer and scanner are OK: {{printer}}', { printer: printerName(t, printer.name) }))
    },
  })
  const asked = data?.asks === true && waits ? data.today : null
  // Above the station's own handler, also while its question is open.
  useScanHandler({
    layer: 'dialog',
    match: code => /^TEST-(\d{1,9})$/.exec(code.text)?.[1],
    handle: number => prove.mutate({ number: Number(number) }),
  })
  return asked ? <Question test={asked} /> : null
}

function Question({ test }: { test: SelfTest }) {
  const t = useT()
  const { play } = useScanner()
  const skip = useSend(selfTests.skip, { refreshes })
  const again = useSend(selfTests.print, { refreshes })
  // Any other code is not for the station yet.
  useScanHandler({ layer: 'dialog', match: code => (/^TEST-\d{1,9}$/.test(code.text) ? undefined : true), handle: () => play('error') })
  return (
    <Dialog
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('Scan the test page')}
    >
      <Stack>
        <Text>
          {t('{{printer}} has printed a page with the code {{code}}. Scan it: then printer and scanner are OK.', {
            printer: printerName(t, test.printer),
            code: test.code,
          })}
        </Text>
        <Group justify="flex-end">
          <Button variant="subtle" loading={skip.isPending} onClick={() => skip.mutate({ id: test.id })}>
            {t('Pack without the test')}
          </Button>
          <Button variant="default" loading={again.isPending} onClick={() => again.mutate({ id: test.station_id })}>
            {t('Print it again')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
