/** Labels for totes: how many, from which number on, how large – seen first, then printed or saved. */
import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useDevicePrinter } from '#ui/device/device-storage.ts'
import { Dialog } from '#ui/kit/Dialog.tsx'
import { disabledBecause } from '#ui/kit/disabled.ts'
import { ErrorState } from '#ui/kit/ErrorState.tsx'
import { Link } from '#ui/kit/Link.tsx'
import { PaperPreview } from '#ui/kit/PaperPreview.tsx'
import { toastFailure, toastSuccess } from '#ui/kit/toasts.ts'
import { useT } from '#ui/kit/translate.ts'
import { WholeNumberInput } from '#ui/kit/WholeNumberInput.tsx'
import type { CallError } from '#ui/query/call-error.ts'
import { keyOf, saveFile, send, useSend } from '#ui/query/calls.ts'
import style from './Paperless.module.css'
import { mostLabels } from './paperless.codes.ts'
import { paperless } from './paperless.contract.ts'
import type { CodeOptions } from './paperless.schemas.ts'

/** `digits`: codes that exist, to be printed again; null makes new ones. */
export function CodeLabels({ digits, next, close }: { digits: readonly string[] | null; next: number; close: (done: boolean) => void }) {
  const t = useT()
  const label = useDevicePrinter('label')
  const sheet = useDevicePrinter('sheet')
  const [count, setCount] = useState(12)
  const [first, setFirst] = useState<number | null>(null)
  const [size, setSize] = useState<CodeOptions['size']>('label')
  const [text, setText] = useState<CodeOptions['text']>('large')
  const [caption, setCaption] = useState('')
  // One intent, one key: pressed again after a lost answer it makes and prints nothing twice. A changed wish is another intent.
  const wish = JSON.stringify([digits, count, first, size, text, caption])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the wish is what the key stands for
  const key = useMemo(() => crypto.randomUUID(), [wish])
  const body = useMemo(
    () => ({ ...(digits ? { digits: [...digits] } : { count, first }), size, text, caption }),
    [digits, count, first, size, text, caption],
  )
  const [shown] = useDebouncedValue(body, 400)
  const valid = digits !== null || (count >= 1 && count <= mostLabels)
  const invalid = valid ? null : t('Between 1 and {{most}}', { most: mostLabels })
  const preview = useQuery<File, CallError>({
    queryKey: keyOf(paperless.preview, shown),
    queryFn: ({ signal }) => send(paperless.preview, { body: shown }, { signal }),
    enabled: valid,
    placeholderData: keepPreviousData,
    retry: false,
    // The next number is another one after every print.
    staleTime: 0,
  })
  const printer_id = size === 'label' ? label : sheet
  const refreshes = [paperless.mapping, paperless.one]
  const print = useSend(paperless.print, {
    refreshes,
    done: job => {
      if (job.state === 'failed' || job.state === 'cancelled') return toastFailure(t(job.error ?? 'Not printed'))
      toastSuccess(t('The labels are at {{printer}}', { printer: job.printer_name }))
      close(true)
    },
  })
  const download = useSend(paperless.download, {
    refreshes,
    done: file => {
      saveFile(file)
      close(true)
    },
  })
  const busy = print.isPending || download.isPending
  const total = digits?.length ?? count

  return (
    <Dialog
      opened
      onClose={() => close(false)}
      size="60rem"
      title={digits ? t('Labels of {{count}} codes', { count: digits.length }) : t('New codes')}
    >
      <div className={style.halves}>
        <Stack gap="md">
          {digits ? (
            <Text size="sm">{t('The same codes on new labels. Nothing else changes.')}</Text>
          ) : (
            <>
              <WholeNumberInput
                label={t('How many')}
                value={count}
                min={1}
                max={mostLabels}
                allowNegative={false}
                onChange={value => setCount(Number(value) || 0)}
                error={invalid}
                data-autofocus
              />
              <WholeNumberInput
                label={t('First number')}
                description={t('Empty goes on after the highest: {{code}}', { code: `PP${next}` })}
                placeholder={`${next}`}
                value={first ?? ''}
                min={1}
                max={999_999_999}
                allowNegative={false}
                onChange={value => setFirst(value === '' ? null : Number(value))}
              />
            </>
          )}
          <Choice
            label={t('Labels')}
            value={size}
            set={setSize}
            options={[
              { value: 'label', label: t('100 × 150 mm') },
              { value: 'sheet', label: t('Small, on A4') },
            ]}
          />
          <Choice
            label={t('Number')}
            value={text}
            set={setText}
            options={[
              { value: 'normal', label: t('Normal') },
              { value: 'large', label: t('Large') },
            ]}
          />
          <TextInput
            label={t('Line below the number')}
            description={t('The name of the warehouse, for example. It may be empty.')}
            value={caption}
            maxLength={60}
            onChange={event => setCaption(event.currentTarget.value)}
          />
          {printer_id === null ? (
            <Text size="sm" c="dimmed">
              {size === 'label' ? t('This device has no label printer yet.') : t('This device has no A4 printer yet.')}{' '}
              <Link to="/settings/printer">{t('Select one')}</Link>
            </Text>
          ) : null}
          <Group gap="xs">
            <Button
              leftSection={<IconPrinter size={16} />}
              disabled={busy}
              {...disabledBecause(invalid ?? (printer_id === null && t('Select a printer first')))}
              loading={print.isPending}
              onClick={() => printer_id !== null && print.mutate({ printer_id, body: { ...body, key } })}
            >
              {digits ? t('Print {{count}} labels', { count: total }) : t('Create and print {{count}}', { count: total })}
            </Button>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              disabled={busy}
              {...disabledBecause(invalid)}
              loading={download.isPending}
              onClick={() => download.mutate({ body: { ...body, key } })}
            >
              {digits ? t('Download PDF') : t('Create and download')}
            </Button>
          </Group>
        </Stack>
        <div className={style.preview}>
          {preview.error && !preview.isFetching ? (
            preview.error.status === 409 ? (
              <Alert color="amber">{t(preview.error.key, preview.error.values)}</Alert>
            ) : (
              <ErrorState error={preview.error} again={() => void preview.refetch()} />
            )
          ) : preview.data ? (
            <PaperPreview file={preview.data} title={t('Preview of the labels')} frame={style.frame} link={style.link} />
          ) : null}
          {total > 21 ? (
            <Text size="sm" c="dimmed">
              {t('The preview shows the first 21.')}
            </Text>
          ) : null}
        </div>
      </div>
    </Dialog>
  )
}

function Choice<T extends string>({
  label,
  value,
  set,
  options,
}: {
  label: string
  value: T
  set: (value: T) => void
  options: { value: T; label: string }[]
}) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      <SegmentedControl fullWidth aria-label={label} value={value} onChange={chosen => set(chosen)} data={options} />
    </div>
  )
}
