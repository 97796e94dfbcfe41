/** The courier label that the customer of a return got: its number, and a way to print or save it until the parcel is here. */
import { Button, Group } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import style from '#features/returns/returns/Returns.module.css'
import { useDevicePrinter } from '#ui/device/device-storage.ts'
import { Panel } from '#ui/kit/DetailPage.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { toastError } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { saveFile, send, useCall, useSend } from '#ui/query/calls.ts'
import { useIsAllowed } from '#ui/query/session.ts'
import { returnPage } from './return-page.contract.ts'

export function ReturnLabel({ id }: { id: number }) {
  const t = useT()
  const label = useCall(returnPage.labelState, { id }, { live: [{ topic: 'return', id }, 'shipment'], keep: true })
  const prints = useIsAllowed(returnPage.printLabel.access)
  const printer = useDevicePrinter('label')
  const print = useSend(returnPage.printLabel, { said: t('The label is sent to the printer') })
  if (label.data === undefined || label.data.state === 'none') return null
  const { state, tracking_no, is_open } = label.data
  const save = async () => {
    try {
      saveFile(await send(returnPage.label, { id }))
    } catch (error) {
      toastError(error)
    }
  }
  const said =
    state === 'waiting'
      ? t('The courier is being asked for it')
      : state === 'failed'
        ? t('The courier made no label, or it was cancelled')
        : is_open
          ? t('Not used yet')
          : t('Used: the parcel has arrived')
  return (
    <Panel title={t('Return label')} place={4}>
      <div className={style.what}>
        {tracking_no ? <span className={style.name}>{tracking_no}</span> : null}
        <span className={style.dim}>{said}</span>
      </div>
      {is_open ? (
        <Group gap="xs" mt="sm">
          {prints ? (
            <Button
              variant="default"
              size="compact-md"
              leftSection={<IconPrinter size={16} />}
              loading={print.isPending}
              {...disabledBecause(printer === null && t('Select a label printer in the settings first'))}
              onClick={() => {
                if (printer !== null) print.mutate({ id, printer_id: printer, body: { client_id: crypto.randomUUID() } })
              }}
            >
              {t('Print label')}
            </Button>
          ) : null}
          <Button variant="default" size="compact-md" leftSection={<IconDownload size={16} />} onClick={() => void save()}>
            {t('Save as PDF')}
          </Button>
        </Group>
      ) : null}
    </Panel>
  )
}
