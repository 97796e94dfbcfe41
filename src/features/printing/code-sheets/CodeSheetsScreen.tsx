/** Codes: command codes for the station and order codes on a sheet – chosen, seen, saved or printed. */
import { Button, Checkbox, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { answers, type Command } from '#domain/codes.ts'
import { isKeyOf, isOneOf, keysOf } from '#domain/objects.ts'
import { printJobs } from '#features/printing/print-jobs/print-jobs.contract.ts'
import { useDevicePrinter } from '#ui/device/device-storage.ts'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { Page } from '#ui/kit/Page.tsx'
import { PaperPreview } from '#ui/kit/PaperPreview.tsx'
import { toastFailure, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import type { CallError } from '#ui/query/call-error.ts'
import { keyOf, saveFile, send, useSend } from '#ui/query/calls.ts'
import style from './CodeSheetsScreen.module.css'
import { codeSheets } from './code-sheets.contract.ts'
import type { CodeSheet } from './code-sheets.schemas.ts'

const words: Record<WorkCommand, { caption: string; note: string }> = {
  FINALIZE: { caption: 'Close as it is', note: 'Sends what is scanned. What happens to the rest is asked.' },
  NEXT: { caption: 'Next parcel', note: 'What is scanned from now on goes into a new parcel.' },
  UNDO: { caption: 'Undo last scan', note: 'The item, box or extra that was scanned last goes out again.' },
  WEIGH: { caption: 'Weigh', note: 'Weighs the parcel that is open.' },
  PHOTO: { caption: 'Photo', note: 'Takes a photo of the open box.' },
  REPRINT: { caption: 'Print again', note: 'Prints the last label again, marked as a copy.' },
  QUANTITY: { caption: 'Quantity', note: 'Counts several items of the next line at once.' },
  PAUSE: { caption: 'Pause', note: 'The order waits. It can go on at any station.' },
  EXCEPTION: { caption: 'Move to exceptions', note: 'Something is wrong with this order. The next one can begin.' },
  ABORT: { caption: 'Stop packing', note: 'Packing of this order ends. Nothing is sent.' },
  DONE: { caption: 'Done', note: 'Confirms what is on the screen.' },
  ESC: { caption: 'Back', note: 'Goes back, like Esc.' },
}
type WorkCommand = Exclude<Command, (typeof answers)[number]>
/** As they are needed at the station: work first, then the numbered answers. */
const work = keysOf(words)
const inOrder: readonly Command[] = [...work, ...answers]

export function QrcodeSettingsScreen() {
  const t = useT()
  const [chosen, setChosen] = useState<readonly Command[]>(inOrder)
  const [text, setText] = useState('')
  const [as, setAs] = useState<CodeSheet['orders_as']>('code128')
  const printer_id = useDevicePrinter('sheet')

  const body = useMemo<CodeSheet>(
    () => ({
      title: t('Codes for the packing station'),
      commands: inOrder
        .filter(command => chosen.includes(command))
        .map(command =>
          isKeyOf(words, command)
            ? { command, caption: t(words[command].caption), note: t(words[command].note) }
            : { command, caption: command, note: t('Answer {{number}} of a question', { number: command }) },
        ),
      orders: text
        .split(/[\s,;]+/)
        .filter(Boolean)
        .slice(0, 101),
      orders_as: as,
    }),
    [t, chosen, text, as],
  )
  const [shown] = useDebouncedValue(body, 500)
  const empty = shown.commands.length + shown.orders.length === 0
  const sheet = useQuery<File, CallError>({
    queryKey: keyOf(codeSheets.draw, shown),
    queryFn: ({ signal }) => send(codeSheets.draw, { body: shown }, { signal }),
    enabled: !empty,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const print = useSend(codeSheets.print, {
    refreshes: [printJobs.list],
    done: job => {
      if (job.state === 'failed' || job.state === 'cancelled') toastFailure(t(job.error ?? 'Not printed'))
      else toastSuccess(t('The sheet is at {{printer}}', { printer: job.printer_name }))
    },
  })

  return (
    <Page
      title={t('Codes')}
      note={t('A sheet for the packing station: whoever packs scans instead of reaching for the mouse.')}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            {...disabledBecause((empty || !sheet.data) && t('Select what the sheet shows first'))}
            onClick={() => sheet.data && saveFile(sheet.data)}
          >
            {t('Download PDF')}
          </Button>
          <Button
            leftSection={<IconPrinter size={16} />}
            {...disabledBecause(empty ? t('Select what the sheet shows first') : printer_id === null && t('Select a printer first'))}
            loading={print.isPending}
            onClick={() => printer_id !== null && print.mutate({ printer_id, body })}
          >
            {t('Print sheet')}
          </Button>
        </>
      }
    >
      <div className={style.halves}>
        <Stack gap="lg">
          {printer_id === null ? (
            <Text size="sm" c="dimmed">
              {t('This device has no A4 printer yet.')} <Link to="/settings/printer">{t('Select one')}</Link>
            </Text>
          ) : null}
          <Checkbox.Group
            label={t('Commands')}
            value={[...chosen]}
            onChange={value => setChosen(inOrder.filter(one => value.includes(one)))}
          >
            <Stack gap="xs" mt="xs">
              {work.map(command => (
                <Checkbox key={command} value={command} label={t(words[command].caption)} description={t(words[command].note)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Checkbox
            label={t('Answers 1 to 9')}
            description={t('Answers the numbered questions of the station by scanning.')}
            checked={answers.every(answer => chosen.includes(answer))}
            onChange={event =>
              setChosen(
                event.currentTarget.checked
                  ? inOrder.filter(one => isOneOf(answers, one) || chosen.includes(one))
                  : chosen.filter(one => !isOneOf(answers, one)),
              )
            }
          />
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => setChosen(inOrder)}>
              {t('Select all')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setChosen([])}>
              {t('Select none')}
            </Button>
          </Group>
          <Textarea
            label={t('Orders')}
            description={t('Order numbers or order codes, one per line. At most 100.')}
            autosize
            minRows={3}
            maxRows={12}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
          <div>
            <Text size="sm" fw={500} mb={4} id="orders-as">
              {t('Order codes as')}
            </Text>
            <SegmentedControl
              aria-labelledby="orders-as"
              value={as}
              onChange={value => setAs(value)}
              data={[
                { value: 'code128', label: t('Barcode') },
                { value: 'qr', label: t('QR code') },
              ]}
            />
          </div>
        </Stack>
        <div className={style.preview}>
          {empty ? (
            <Text c="dimmed" p="xl" ta="center">
              {t('Select at least one code')}
            </Text>
          ) : sheet.error && !sheet.isFetching ? (
            <ErrorState error={sheet.error} again={() => void sheet.refetch()} />
          ) : sheet.data ? (
            <PaperPreview file={sheet.data} title={t('Preview of the sheet')} frame={style.frame} link={style.link} />
          ) : null}
        </div>
      </div>
    </Page>
  )
}
